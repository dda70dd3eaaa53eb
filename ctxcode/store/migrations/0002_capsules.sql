-- Finds the capsules of all sessions; where there are none, without reading a single event.
CREATE INDEX event_of_capsules ON event (kind, id) WHERE kind IN ('capsule-written', 'capsule-removed');
