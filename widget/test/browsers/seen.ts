// What a person finds of the widget on a page, read off in one look.

export interface Seen {
  state: string
  unread: number
  unopened: number
  /** Null while there is none; so with the others that may be missing, as drivers pass nothing else on. */
  badge: string | null
  bellName: string
  live: string
  isOpen: boolean
  /** By their titles, in order. */
  rows: string[]
  /** Titles of rows with a dot. */
  dots: string[]
  tab: string
  detail: string | null
  notice: string | null
  chosen: string | null
  isOffline: boolean
  /** Of the settings. */
  switches: number
  /** What has the focus: the part or class and the name of it, `row: …`; `page` outside of the element. */
  focus: string
  /** The focus shows: `:focus-visible`, an outline that is drawn, and nothing lies over the whole of it. */
  isFocusShown: boolean
}

/** Runs in the page; `at` chooses among several elements. */
export function look(at: number): Seen | null {
  const center = document.querySelectorAll('notification-center')[at]
  const shadow = center?.shadowRoot
  if (!center || !shadow) return null
  const find = (selector: string): HTMLElement | undefined => {
    const found = shadow.querySelector<HTMLElement>(selector)
    return found?.checkVisibility({ visibilityProperty: true }) ? found : undefined
  }
  const textOf = (selector: string): string | null => find(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? null
  const titleOf = (row: Element): string => row.querySelector('.title')?.textContent ?? ''
  const rows = find('.panel') ? [...shadow.querySelectorAll('article.row')] : []
  const own = (name: string): unknown => Reflect.get(center, name)
  const active = shadow.activeElement
  const nameOf = (target: Element): string => {
    const kind = target.getAttribute('part') ?? target.className.split(' ').at(-1) ?? target.localName
    const said = target.matches('article') ? titleOf(target) : (target.getAttribute('aria-label') ?? target.textContent)
    return `${kind}: ${said?.replace(/\s+/g, ' ').trim()}`
  }
  const isCovered = (target: Element): boolean => {
    const { left, top, width, height } = target.getBoundingClientRect()
    const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [left + width * x, top + height * y]))
    return !points.some(([x = 0, y = 0]) => target.contains(shadow.elementFromPoint(x, y)))
  }
  const style = active === null ? undefined : getComputedStyle(active)
  return {
    state: String(own('state')),
    unread: Number(own('unread')),
    unopened: Number(own('unopened')),
    badge: textOf('[part~=badge]'),
    bellName: shadow.querySelector('[part~=bell]')?.getAttribute('aria-label') ?? '',
    live: shadow.querySelector('[aria-live=polite]')?.textContent ?? '',
    isOpen: find('.panel') !== undefined,
    rows: rows.map(titleOf),
    dots: rows.filter((row) => row.querySelector('.dot:not([hidden])')).map(titleOf),
    tab: textOf('[role=tab][aria-selected=true]') ?? '',
    detail: textOf('[part~=detail] h2'),
    notice: textOf('.notice span'),
    chosen: textOf('.chosen'),
    isOffline: find('[part~=offline]') !== undefined,
    switches: shadow.querySelectorAll('.switch').length,
    focus: active === null ? 'page' : nameOf(active),
    isFocusShown: active?.matches(':focus-visible') === true && style?.outlineStyle !== 'none' && !isCovered(active),
  }
}
