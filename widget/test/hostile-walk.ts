// What runs in the page while hostile payloads are tried: tripwires, a look at all that stands in the element, and a walk through every message.

export interface Trips {
  /** What ran that must not. */
  tripped: string[]
  /** Names of the page's own before any script of ours. */
  globals: string[]
  /** What desktop notifications were made of. */
  notified: [title: string, icon: string | undefined][]
  /** Of looks that nobody waited for. */
  faults: string[]
}

/** Runs before any script of the page. */
export function setTripwires(): void {
  const trips: Trips = { tripped: [], globals: [], notified: [], faults: [] }
  const trip = (what: string) => (): void => void trips.tripped.push(`${what} ${new Error().stack}`)
  Object.defineProperty(globalThis, 'pwned', { set: trip('pwned'), get: () => undefined })
  for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) Reflect.set(globalThis, name, trip(name))
  globalThis.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      trips.notified.push([title, options?.icon])
    }
  }
  Reflect.set(globalThis, 'trips', trips)
  trips.globals = Object.getOwnPropertyNames(globalThis)
}

/** Everything that is wrong in the element now: other elements, other attributes, other addresses than our own markup has. */
export function lookAtAll(): string[] {
  const TAGS = new Set(
    'a article bdi blockquote br button circle code dd div dl dt ellipse em form g h1 h2 h3 header hr img input kbd label li nc-detail nc-keys nc-list nc-panel nc-row nc-selection nc-settings nc-snooze nc-toasts ol option p path pre rect section select slot span strong svg time ul'.split(
      ' ',
    ),
  )
  TAGS.add('nc-bell')
  const NAMES = new Set(
    'alt class d data-id datetime decoding dir disabled fill hidden href id inert lang loading min name part pinned popover r referrerpolicy rel required role rx ry selected src tabindex target title type value viewBox cx cy width height x y'.split(
      ' ',
    ),
  )
  const ADDRESS = /^(https?:\/\/[^/]|mailto:|tel:|sms:|#|\/(?!\/))/i
  const shadow = document.querySelector('notification-center')?.shadowRoot
  if (!shadow) return ['The element is not there.']
  return [...shadow.querySelectorAll('*')].flatMap((element) => {
    const faults = TAGS.has(element.localName) ? [] : [`<${element.localName}>`]
    for (const { name, value } of element.attributes) {
      if (!NAMES.has(name) && !/^(aria|stroke)\b/.test(name)) faults.push(`${element.localName} ${name}=${value}`)
      if ((name === 'href' || name === 'src') && !ADDRESS.test(value)) faults.push(`${name}=${value}`)
      if (name === 'class' && !/^[\w -]*$/.test(value)) faults.push(`class=${value}`)
      if (name === 'id' && !/^(tab-\d+|list)$/.test(value)) faults.push(`id=${value}`)
    }
    return faults
  })
}

/** Opens each of so many messages, as by keys, and looks; answers how many were shown as they are. */
export async function walkThrough(total: number): Promise<{ opened: number; faults: string[] }> {
  const center = document.querySelector('notification-center') as HTMLElement & { messages: { title: string }[] }
  const shadow = center.shadowRoot as ShadowRoot
  const look = Reflect.get(globalThis, 'lookAtAll') as () => string[]
  const find = <E extends Element>(selector: string): E | null => shadow.querySelector<E>(selector)
  const press = (key: string): void => {
    const target = shadow.activeElement ?? find('.panel')
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }))
  }
  const until = async (what: string, isSo: () => boolean): Promise<void> => {
    for (const end = performance.now() + 120_000; !isSo(); ) {
      if (performance.now() > end) throw new Error(`not in time: ${what}; ${center.messages.length} messages`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await until('all of the list', () => {
    const scroller = find<HTMLElement>('.scroller')
    if (scroller !== null && center.messages.length < total) scroller.scrollTop = scroller.scrollHeight
    return center.messages.length === total
  })
  const faults: string[] = []
  let opened = 0
  press('Home')
  await until('the first row', () => shadow.activeElement?.getAttribute('aria-posinset') === '1')
  for (const [at, { title }] of center.messages.entries()) {
    const row = shadow.activeElement
    row?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }))
    if (row?.getAttribute('aria-posinset') !== String(at + 1)) faults.push(`${at}: another row`)
    press('Enter')
    if (find('.detail-title')?.textContent === title && find('.detail [part~=body]') !== null) opened++
    const found = look()
    if (found.length > 0) faults.push(`${JSON.stringify(title).slice(0, 120)}: ${found.slice(0, 3).join(', ')}`)
    press('Escape')
    press('j')
    // What is drawn with the next frame is looked at, too.
    if (at % 20 === 0) await new Promise(requestAnimationFrame)
  }
  return { opened, faults: faults.slice(0, 20) }
}
