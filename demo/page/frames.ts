// Describes Socket.IO's text frames: kind, event, and content of an inbox frame.

export interface FrameWords {
  title: string
  note: string
  detail: string | undefined
}

const KINDS: Record<string, string> = { 0: 'connect', 1: 'disconnect', 2: 'event', 3: 'acknowledgement', 4: 'refusal' }

/** @returns undefined for heartbeats of the transport */
export function describeFrame(text: string): FrameWords | undefined {
  const [, engine, kind, rest] = /^(\d)(\d?)\d*(.*)$/s.exec(text) ?? []
  if (engine === '2' || engine === '3' || engine === '6') return undefined
  if (engine === '0') return { title: 'transport open', note: '', detail: rest }
  if (engine !== '4') return { title: 'frame', note: '', detail: text }
  const payload = parse(rest ?? '')
  const detail = payload === undefined ? rest || undefined : JSON.stringify(payload, null, 2)
  const name = KINDS[kind ?? ''] ?? 'frame'
  if (!Array.isArray(payload)) return { title: name, note: '', detail }
  if (kind === '3') return { title: name, note: inboxNote(payload[0]), detail }
  return { title: String(payload[0]), note: inboxNote(payload[1]), detail }
}

function inboxNote(value: unknown): string {
  const frame = value as {
    from?: number
    seq?: number
    unread?: number
    changes?: { op: string }[]
    reset?: boolean
  } | null
  if (typeof frame !== 'object' || frame === null || typeof frame.seq !== 'number') return ''
  const ops = (frame.changes ?? []).map((change) => change.op)
  const what = frame.reset
    ? 'reset'
    : ops.length === 0
      ? 'heads'
      : ops.slice(0, 4).join(', ') + (ops.length > 4 ? ' …' : '')
  return `${what} · seq ${frame.seq} · unread ${frame.unread ?? '?'}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
