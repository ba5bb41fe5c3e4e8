// Leaves the zone of the page's framework: zone.js has Angular wait for each timer, and render after each callback, that began within its zone.

interface ZoneType {
  root: { run<T>(act: () => T): T }
}

/** Runs `act` outside of all zones, and so all that it begins. @returns what `act` returns */
export function outsideZone<T>(act: () => T): T {
  const { Zone } = globalThis as { Zone?: Partial<ZoneType> }
  return Zone?.root ? Zone.root.run(act) : act()
}
