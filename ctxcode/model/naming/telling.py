"""Words that say something, told from those that stand in every sentence."""

_STOP_TEXT = """
a about after again all also although always am an and another any anybody anyone anything are aren around as ask at
be because been before being below best better both but by can cannot cant could couldn currently did didn different
do does doesn doing don done down during each either else etc even ever every exactly explain explained explains far
few find for from further get gets getting give given gives go goes going gonna good got had happen happened happening
happens has hasn have haven having he hello helps hence her here hey hi his how however i if im in instead into is isn
it its itself just know lets like ll look looking looks lot lots made mainly make makes making many may maybe me mean
means might mine more most much must my myself need needed needs neither never nice no nor not nothing now of off
often ok okay on once one only onto or other others otherwise our ours out over own perhaps please possible possibly
pretty probably quite rather re really related right said same say says see seem seems sense shall she should shouldn
show shows since so some somehow someone something sometimes somewhat somewhere soon still such sure take takes tell
tells than thank thanks that thats the their them then there therefore these they thing things think this those though
through thus to together too toward towards try trying two under understand unless until up upon us use used uses
using usually ve very via want wanted wants was wasn way ways we well went were weren what whatever when whenever
where whereas wherever whether which while who whole whom whose why will with within without won would wouldn yes yet
you your yours aber als auf aus bei bin bitte da damit das dass dem den denn der des die dies diese dieser dieses doch
du durch ein eine einem einen einer eines er es für hier ich ihr ist ja kann kein keine können machen man mich mit
nach nicht noch nur oder ohne sich sie sind soll über um und uns unter vom von vor warum wenn werden wie wir wird wo
woher zu zum zur avec cette dans elle leur mais nous où pour pourquoi quand quel quelle sont vous como cuando dónde
donde esta este para pero por porque qué
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that say nothing about code, in the languages prompts are mostly written in."""


_ASKING_TEXT = """
adapt adapts adapted adapting add adds added adding adjust adjusts adjusted adjusting allow allows allowed allowing
avoid avoids avoided avoiding bump bumps bumped bumping change changes changed changing correct corrects corrected
correcting correctly create creates created creating disable disables disabled disabling drop drops dropped dropping
enable enables enabled enabling enhance enhances enhanced enhancing ensure ensures ensured ensuring extend extends
extended extending fix fixes fixed fixing fixup handle handles handled handling ignore ignores ignored ignoring
implement implements implemented implementing improve improves improved improving improvement improvements introduce
introduces introduced introducing keep keeps kept keeping let lets migrate migrates migrated migrating modify modifies
modified modifying move moves moved moving port ports ported porting preserve preserves preserved preserving prevent
prevents prevented preventing proper properly provide provides provided providing refactor refactors refactored
refactoring remove removes removed removing rename renames renamed renaming replace replaces replaced replacing require
requires required requiring respect respects respected respecting restore restores restored restoring revert reverts
reverted reverting rework reworks reworked reworking rewrite rewrites rewrote rewriting simplify simplifies simplified
simplifying skip skips skipped skipping speed start starts started stop stops stopped support supports supported
supporting switch switches switched switching temporarily tweak tweaks tweaked tweaking update updates updated updating
upgrade upgrades upgraded upgrading work works worked working
bug bugs clean cleanup compatible compatibility feature features issue issues latest minor new newer old older problem
problems small various version versions
argument arguments behavior behaviour case cases code error errors exception exceptions parameter parameters result
results value values
"""
ASKING_WORDS = frozenset(_ASKING_TEXT.split())
"""Words that say what is to be done more often than what with, in requests and in messages of commits; and what all
code is about.
"""


def is_telling(word: str) -> bool:
    """Tell whether a lower-case word may say something: no stop word, no lone letter, no bare number."""
    if word in STOP_WORDS or (word.isascii() and len(word) < 2):
        return False
    return not (word.isdigit() and len(word) < 3)
