<?php
// Loaded before a traced PHP script: at its end writes where everything is defined that the script has loaded.
// Writes {"methods": {"class::method": [[path, line], ...]}, "functions": {...}, "makers": {"class::method": [class, ...]}}
// with lower-case keys; behind a method stand those of its name that it overrides.

(static function (string $output): void {
    $place = static fn ($it) => [(string) $it->getFileName(), (int) $it->getStartLine()];
    $all = static function (ReflectionClass $class, string $name) use ($place): array {
        $places = [];
        $above = $class->getParentClass();
        $owners = [$class, ...($above ? [$above] : []), ...array_values($class->getInterfaces())];
        while ($above = $above ? $above->getParentClass() : null) {
            $owners[] = $above;
        }
        foreach ($class->getTraits() as $trait) {
            $owners[] = $trait;
        }
        foreach ($owners as $owner) {
            if ($owner->hasMethod($name)) {
                $places[] = $place($owner->getMethod($name));
            }
        }
        return array_values(array_unique($places, SORT_REGULAR));
    };
    register_shutdown_function(static function () use ($output, $place, $all): void {
        xdebug_stop_trace();
        $methods = $functions = $makers = [];
        foreach ([...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()] as $name) {
            $class = new ReflectionClass($name);
            if ($class->isInternal()) {
                continue;
            }
            foreach ($class->getMethods() as $method) {
                $methods[strtolower($name . '::' . $method->name)] = $all($class, $method->name);
            }
            $maker = $class->getConstructor();
            if ($maker !== null && !$class->isAbstract()) {
                $makers[strtolower($maker->class . '::' . $maker->name)][] = [$class->getShortName(), ...$place($class)];
            }
        }
        foreach (get_defined_functions()['user'] as $name) {
            $functions[strtolower($name)] = [$place(new ReflectionFunction($name))];
        }
        file_put_contents($output, json_encode(array_map(fn(array $each) => (object) $each, compact('methods', 'functions', 'makers'))));
    });
})(getenv('TRACED_DEFINITIONS'));
