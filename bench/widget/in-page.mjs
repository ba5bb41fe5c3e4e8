// Counts and times in the page; runs before any other script. A classic script, no module.

{
  // tsx adds calls of this helper to functions that are sent to the page.
  globalThis.__name = (made) => made

  const marks = { script: undefined, badge: undefined }
  const longTasks = []
  const violations = []
  const shifts = []
  const timers = new Set()
  const sockets = new Set()
  let listeners = 0
  let pushedAt

  const center = () => document.querySelector('notification-center')
  const find = (selector) => center()?.shadowRoot?.querySelector(selector) ?? null
  const rows = () => center()?.shadowRoot?.querySelectorAll('article.row').length ?? 0

  new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ startTime: at, duration }) => ({ at, duration }))),
  ).observe({ type: 'longtask', buffered: true })
  // The page's own shifts are those with a node whose name moved in the page's own document.
  const isOfPage = ({ sources }) => sources.some(({ node }) => node !== null && node.nodeName !== 'NOTIFICATION-CENTER')
  new PerformanceObserver((list) =>
    shifts.push(
      ...list
        .getEntries()
        .filter(isOfPage)
        .map(({ value }) => value),
    ),
  ).observe({
    type: 'layout-shift',
    buffered: true,
  })
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective))

  // The script reads `document.currentScript` before anything else.
  const current = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript')
  Object.defineProperty(document, 'currentScript', {
    configurable: true,
    get() {
      const script = current.get.call(document)
      if (script?.src.includes('notification-center.js')) marks.script ??= performance.now()
      return script
    },
  })

  const names = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']
  const plain = Object.fromEntries(names.map((name) => [name, globalThis[name].bind(globalThis)]))
  globalThis.setTimeout = (act, delay, ...rest) => {
    const id = plain.setTimeout(() => {
      timers.delete(id)
      act(...rest)
    }, delay)
    timers.add(id)
    return id
  }
  globalThis.setInterval = (act, delay) => {
    const id = plain.setInterval(act, delay)
    timers.add(id)
    return id
  }
  for (const name of ['clearTimeout', 'clearInterval']) {
    globalThis[name] = (id) => {
      timers.delete(id)
      plain[name](id)
    }
  }
  const PlainSocket = WebSocket
  globalThis.WebSocket = class extends PlainSocket {
    constructor(...given) {
      super(...given)
      sockets.add(this)
      super.addEventListener('close', () => sockets.delete(this))
    }
    set onmessage(hear) {
      super.onmessage = (event) => {
        if (String(event.data).includes('"op":"add"')) pushedAt = performance.now()
        hear(event)
      }
    }
  }
  // Listens on the targets that outlive an element: the window and the document.
  for (const target of [window, document]) {
    const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)]
    const known = new WeakMap()
    const key = (type, options) =>
      `${type} ${typeof options === 'object' ? options?.capture === true : options === true}`
    target.addEventListener = (type, act, options) => {
      const own = known.get(act) ?? new Set()
      const name = key(type, options)
      if (!own.has(name)) {
        listeners += 1
        options?.signal?.addEventListener('abort', () => {
          if (own.delete(name)) listeners -= 1
        })
      }
      known.set(act, own.add(name))
      add(type, act, options)
    }
    target.removeEventListener = (type, act, options) => {
      if (known.get(act)?.delete(key(type, options))) listeners -= 1
      remove(type, act, options)
    }
  }

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  /** The task after a frame runs when that frame is on the screen. */
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => plain.setTimeout(resolve, 0)))
  const until = async (isSo) => {
    const end = performance.now() + 30_000
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`not in time: ${isSo}`)
      await frame()
    }
  }
  const watchBadge = () => {
    const badge = find('[part~=badge]')
    if (badge === null || badge.hidden) requestAnimationFrame(watchBadge)
    else plain.setTimeout(() => (marks.badge = performance.now()), 0)
  }
  requestAnimationFrame(watchBadge)

  /**
   * Returns the ms until rows fill the view and are painted. Looks after each frame, because a look before it would
   * cause another layout.
   */
  const open = async () => {
    const begun = performance.now()
    const isFull = () =>
      find('.panel:popover-open') !== null &&
      rows() > 0 &&
      Math.max(
        ...[...center().shadowRoot.querySelectorAll('article.row')].map((row) => row.getBoundingClientRect().bottom),
      ) >= find('.scroller').getBoundingClientRect().bottom
    center().show()
    do await painted()
    while (!isFull() && performance.now() < begun + 30_000)
    if (!isFull()) throw new Error('not in time: a full list')
    return performance.now() - begun
  }
  const close = async () => {
    center().hide()
    await until(() => find('.panel:popover-open') === null)
  }
  const badgePainted = () => until(() => marks.badge !== undefined)
  const defined = () => until(() => customElements.get('notification-center') !== undefined)
  const ready = () => until(() => center()?.state === 'ready' && find('[part~=panel]') !== null)
  const mount = async (attributes) => {
    const made = document.createElement('notification-center')
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    document.querySelector('#slot').append(made)
    await ready()
  }
  const unmount = async () => {
    center().remove()
    await until(() => sockets.size === 0)
  }
  const counts = () => ({ listeners, sockets: sockets.size, timers: timers.size })
  /** Returns the service calls before the badge, without preflights. */
  const callsBeforeBadge = () =>
    performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.includes('/v1/') && startTime < (marks.badge ?? Number.POSITIVE_INFINITY))
      .map(({ name }) => new URL(name).pathname)
  /** Loads pages until so many messages are in the list. */
  const loadAll = async (count) => {
    const scroller = find('.scroller')
    while (center().messages.length < count) {
      scroller.scrollTop = scroller.scrollHeight
      await frame()
    }
    scroller.scrollTop = 0
    await frame()
  }
  /** Scrolls from top to bottom and back in so many frames. */
  const fling = async (frames) => {
    const scroller = find('.scroller')
    const step = (scroller.scrollHeight * 2) / frames
    for (let at = 0; at < frames; at++) {
      scroller.scrollTop += at < frames / 2 ? step : -step
      await frame()
    }
  }
  let pushSeen
  /**
   * Measures the ms from the next push's frame at the socket to its painted row. Looks at each change of the rows,
   * because a look per frame would be one frame late.
   */
  const awaitPush = () => {
    pushedAt = undefined
    const newest = () => find('article.row')?.dataset.id
    const before = newest()
    pushSeen = new Promise((resolve) => {
      let isInFrame = false
      let isOver = false
      const beginFrame = () => {
        isInFrame = true
        plain.setTimeout(() => (isInFrame = false), 0)
        if (!isOver) requestAnimationFrame(beginFrame)
      }
      requestAnimationFrame(beginFrame)
      const observer = new MutationObserver(async () => {
        if (isOver || pushedAt === undefined || newest() === before) return
        isOver = true
        observer.disconnect()
        if (isInFrame) await new Promise((drawn) => plain.setTimeout(drawn, 0))
        else await painted()
        resolve(performance.now() - pushedAt)
      })
      observer.observe(center().shadowRoot, { subtree: true, childList: true, attributes: true })
    })
  }
  const pushPainted = () => pushSeen
  const nodes = () => center().shadowRoot.querySelectorAll('*').length
  globalThis.bench = {
    marks,
    longTasks,
    violations,
    shift: () => shifts.reduce((sum, value) => sum + value, 0),
    counts,
    callsBeforeBadge,
    badgePainted,
    defined,
    ready,
    open,
    close,
    mount,
    unmount,
    loadAll,
    fling,
    awaitPush,
    pushPainted,
    nodes,
    painted,
  }
}
