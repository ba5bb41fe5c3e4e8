// Probes what a page is not told: whether the service answers at all, what the page's policy blocked, the state of the storage.

/** How far a question without any credential comes. */
export type Reach =
  | 'not looked'
  /** It answers this page: what is refused is this page's sign-in. */
  | 'answers'
  /** The page's own policy lets no call out. */
  | 'blocked by the policy'
  /** It answers this page, but not by the page's `fetch`. */
  | 'answers beside fetch'
  /** Something is there, but lets no page read it: another server, a proxy, a wrong address. */
  | 'answers nobody'
  | 'mixed content'
  | 'no network'
  | 'out of reach'

export interface Probe {
  reach: Reach
  /** The device's clock ahead of the service's, ms, to the second. */
  skewMs: number | undefined
}

const TIMEOUT_MS = 8_000

/** A read without a session is refused with an answer that every page may read, unless something stands between. */
export async function probeService(baseUrl: string, isBlocked: () => boolean): Promise<Probe> {
  const nothing = { skewMs: undefined }
  const options = { credentials: 'omit', cache: 'no-store' } as const
  const address = `${baseUrl}/v1/inbox/changes?since=0&epoch=`
  try {
    const answer = await fetch(address, {
      ...options,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const date = Date.parse(answer.headers.get('date') ?? '')
    // The header is cut to the second: half of one is the best guess.
    return { reach: 'answers', skewMs: Number.isNaN(date) ? undefined : Date.now() - (date + 500) }
  } catch {
    // A violation of the policy is reported by a later task than the failure.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  if (isBlocked()) return { reach: 'blocked by the policy', ...nothing }
  if (location.protocol === 'https:' && baseUrl.startsWith('http://')) return { reach: 'mixed content', ...nothing }
  if (await answersBesideFetch(address)) return { reach: 'answers beside fetch', ...nothing }
  try {
    await fetch(`${baseUrl}/healthz`, { ...options, mode: 'no-cors', signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { reach: 'answers nobody', ...nothing }
  } catch {
    return { reach: navigator.onLine ? 'out of reach' : 'no network', ...nothing }
  }
}

/** Pages wrap `fetch`, for example to send cookies with all calls, which the service lets no page do. Few wrap this. */
function answersBesideFetch(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.onloadend = () => resolve(request.status > 0)
    request.timeout = TIMEOUT_MS
    request.open('GET', address)
    request.send()
  })
}

/** @returns the origin of the address, or the text as it is where it is no address */
export function originOf(address: string): string {
  try {
    const { protocol, host } = new URL(address)
    return `${protocol}//${host}`
  } catch {
    return address
  }
}

/** @returns a sentence that says where the inbox is stored */
export async function describeStorage(): Promise<string> {
  try {
    const [version, room] = await Promise.all([versionOfStore(), roomLeft()])
    return `IndexedDB, form ${version}${room}`
  } catch (error) {
    return `memory of this page alone: IndexedDB is refused here (${error instanceof Error ? error.name : 'unknown'})`
  }
}

function versionOfStore(): Promise<number> {
  return new Promise((resolve, reject) => {
    // Without a version it is opened as it is, whichever version of the widget made it.
    const asked = indexedDB.open('notification-center')
    asked.onblocked = asked.onerror = () => reject(asked.error ?? new Error('blocked'))
    asked.onsuccess = () => {
      const { version, objectStoreNames } = asked.result
      const isOurs = objectStoreNames.length > 0
      asked.result.close()
      if (isOurs) resolve(version)
      else reject(new Error('NothingStored'))
    }
    // It would be made empty by the question: leave it to the inbox.
    asked.onupgradeneeded = () => asked.transaction?.abort()
  })
}

async function roomLeft(): Promise<string> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {}
  if (usage === undefined || quota === undefined) return ''
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `, ${mebibytes(usage)} of ${mebibytes(quota)} of this site used${usage > quota * 0.95 ? ' (nearly full: then memory is used)' : ''}`
}

/** @returns the address of the page's service worker, and whether it sees the page's calls; empty where there is none */
export async function describeWorker(): Promise<string> {
  try {
    const workers = navigator.serviceWorker
    const { controller } = workers ?? {}
    return controller
      ? `${controller.scriptURL}, controls the page`
      : ((await workers?.getRegistration())?.active?.scriptURL ?? '')
  } catch {
    // A sandboxed frame is refused the registration, or the very property.
    return ''
  }
}
