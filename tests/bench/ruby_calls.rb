# Writes the calls that a Ruby script makes in a folder, as rows that bench_traced_edges.py reads.
# Run: ruby ruby_calls.rb FOLDER OUTPUT SCRIPT ARGUMENT ...
# A row is [path, line, name, whether it is defined in the folder, right places]; what C code calls is left out.
require "json"
require "set"

folder, output, script = ARGV.shift(3)
ROOT = "#{File.realpath(folder)}/".freeze
output = File.expand_path(output)
seen = {}
opened = Hash.new { |places, owner| places[owner] = Set.new }.compare_by_identity

# Where a class's method and those that it overrides are defined, the nearest first.
places_of = lambda do |owner, method|
  owner.ancestors.filter_map do |link|
    next unless link.method_defined?(method, false) || link.private_method_defined?(method, false)

    link.instance_method(method).source_location
  end
end

inside = lambda do |places|
  places.filter_map { |path, line| [path.delete_prefix(ROOT), line] if path.to_s.start_with?(ROOT) }.uniq
end

trace = TracePoint.new(:call, :c_call, :class) do |point|
  case point.event
  when :class
    opened[point.self] << [point.path, point.lineno] if point.path.start_with?(ROOT)
  when :c_call
    path = point.path
    next unless path.start_with?(ROOT)

    made = point.method_id == :new && point.self.is_a?(Class) ? point.self : nil
    # What attr_reader makes is C code, with the place of a definition.
    owner = point.defined_class
    method = made.nil? && owner&.instance_method(point.method_id)&.source_location ? point.method_id : nil
    seen[[path, point.lineno, point.callee_id, made || (method && owner)]] ||= [made || (method && owner), method]
  when :call
    from, above = caller_locations(2, 2)
    path = from&.absolute_path
    next unless path&.start_with?(ROOT)
    # C code has the place it was called from.
    next if above && from.lineno == above.lineno && from.path == above.path && !from.label.start_with?("block")

    if point.callee_id == :new && point.self.is_a?(Class)
      seen[[path, from.lineno, :new, point.self]] ||= [point.self, nil]
    else
      seen[[path, from.lineno, point.callee_id, point.path, point.lineno]] ||= [point.defined_class, point.method_id]
    end
  end
end

at_exit do
  trace.disable
  rows = []
  seen.each do |(path, line, name, *ran), (owner, method)|
    at = path.delete_prefix(ROOT)
    if method
      # What ran may have been taken away since.
      places = [*([ran] if ran.size == 2), *places_of.call(owner, method)]
      is_inside = places.first ? places.first.first.start_with?(ROOT) : false
      rows << [at, line, name, is_inside, inside.call(places)]
    elsif owner
      short = owner.name.to_s.rpartition("::").last
      makers = inside.call(owner.private_method_defined?(:initialize) ? places_of.call(owner, :initialize) : [])
      named = owner.name && (Object.const_source_location(owner.name) rescue nil)
      classes = inside.call([*opened[owner], *([named] if named && !named.empty?)])
      rows << [at, line, short, classes.any?, classes + (classes.any? ? makers : [])] unless short.empty?
    else
      rows << [at, line, name, false, []]
    end
  end
  File.write(output, JSON.generate(rows.uniq))
end

trace.enable
$0 = script
load script
