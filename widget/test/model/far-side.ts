// The service as the model sees it: inboxes with epoch, seq and a short log of changes, sessions that end, sockets.

import type {
  InboxChange,
  InboxChanges,
  InboxFilter,
  InboxHead,
  InboxMessage,
  MessagePatch,
  RegisterItem,
} from '../../../contract/api.ts'
import type { HandshakeAuth, InboxFrame } from '../../../contract/frames.ts'
import type { Life, World } from './world.ts'

type Logged =
  | { seq: number; op: 'add' | 'remove'; id: string }
  | { seq: number; op: 'update'; id: string; patch: MessagePatch }

export interface Line {
  /** Of which browser. */
  browserNo: number
  life: Life
  push(frame: InboxFrame): void
  /** `isSilent`: the other side is not told. */
  cut(isSilent?: boolean): void
}

export interface Inbox {
  epoch: string
  seq: number
  messages: Map<string, InboxMessage>
  log: Logged[]
  /** What delivery events came in, in order, each once. */
  registered: string[]
  lines: Set<Line>
}

export interface Answer {
  status: number
  body: object
}

/** So few that many a tab misses more than that, and has to read the pages anew. */
const LOG = 12
export const HEADS_MS = 25_000
const SESSION_MS = 600_000

export const LIST_FILTERS: Record<InboxFilter, (m: InboxMessage) => boolean> = {
  all: (m) => m.archivedAt === null && m.snoozedUntil === null,
  unopened: (m) => LIST_FILTERS.all(m) && m.unopened,
  archived: (m) => m.archivedAt !== null,
  snoozed: (m) => m.archivedAt === null && m.snoozedUntil !== null,
}

export type Service = ReturnType<typeof createService>

export function createService(world: World) {
  const inboxes = new Map<string, Inbox>()
  const sessions = new Map<string, { userId: string; endsAt: number }>()
  let lastNo = 0
  const iso = (at: number): string => new Date(at).toISOString()

  const inboxOf = (userId: string): Inbox => {
    let inbox = inboxes.get(userId)
    if (inbox === undefined) {
      inbox = { epoch: `${userId}-1`, seq: 0, messages: new Map(), log: [], registered: [], lines: new Set() }
      inboxes.set(userId, inbox)
    }
    return inbox
  }
  const rows = (userId: string, filter: InboxFilter): InboxMessage[] =>
    [...inboxOf(userId).messages.values()].filter(LIST_FILTERS[filter]).sort((a, b) => b.seq - a.seq)
  const headOf = (userId: string): InboxHead => {
    const { epoch, seq } = inboxOf(userId)
    const unopened = rows(userId, 'unopened')
    return { epoch, seq, unopened: unopened.length, unread: unopened.filter((m) => m.readAt === null).length }
  }
  const wire = (inbox: Inbox, logged: Logged): InboxChange[] => {
    if (logged.op !== 'add') return [logged as InboxChange]
    const message = inbox.messages.get(logged.id)
    return message === undefined ? [] : [{ seq: logged.seq, op: 'add', message }]
  }
  const changesSince = (userId: string, since: number, epoch: string | undefined): InboxChanges => {
    const inbox = inboxOf(userId)
    const first = inbox.log[0]?.seq ?? inbox.seq + 1
    const reset =
      (epoch !== undefined && epoch !== '' && epoch !== inbox.epoch) || since > inbox.seq || since < first - 1
    const logged = reset ? [] : inbox.log.filter(({ seq }) => seq > since)
    return { ...headOf(userId), reset, changes: logged.flatMap((each) => wire(inbox, each)) }
  }
  const frameSince = (userId: string, since: number, epoch: string | undefined): InboxFrame => {
    const { reset, ...answer } = changesSince(userId, since, epoch)
    return reset ? { ...answer, from: answer.seq, reset } : { ...answer, from: since }
  }

  /** What is done in `act` is one commit: one frame. */
  const commit = (
    userId: string,
    act: (log: (change: Omit<Logged, 'seq'> & { patch?: MessagePatch }) => number) => void,
  ): void => {
    const inbox = inboxOf(userId)
    const from = inbox.seq
    act((change) => {
      inbox.log.push({ ...change, seq: ++inbox.seq } as Logged)
      return inbox.seq
    })
    if (inbox.seq === from) return
    const frame = frameSince(userId, from, undefined)
    inbox.log.splice(0, inbox.log.length - LOG)
    for (const line of inbox.lines) line.push(frame)
  }
  const patch = (userId: string, ids: string[], fields: MessagePatch): void =>
    commit(userId, (log) => {
      const { messages } = inboxOf(userId)
      for (const id of ids) {
        const before = messages.get(id)
        if (before === undefined) continue
        const news = Object.fromEntries(
          Object.entries(fields).filter(([name, value]) => before[name as keyof MessagePatch] !== value),
        )
        if (Object.keys(news).length === 0) continue
        messages.set(id, { ...before, ...news })
        log({ op: 'update', id, patch: news })
      }
    })
  const remove = (userId: string, ids: string[]): void =>
    commit(userId, (log) => {
      for (const id of ids) if (inboxOf(userId).messages.delete(id)) log({ op: 'remove', id })
    })
  const add = (userId: string): void =>
    commit(userId, (log) => {
      const id = `msg_${++lastNo}`
      const seq = log({ op: 'add', id })
      inboxOf(userId).messages.set(id, messageOf(id, seq, iso(world.now)))
    })

  const register = (userId: string, events: RegisterItem[]): void => {
    const inbox = inboxOf(userId)
    for (const { messageId, eventType, occurredAt = '' } of events) {
      const name = `${eventType}|${messageId}`
      if (!inbox.registered.includes(name)) inbox.registered.push(name)
      const before = inbox.messages.get(messageId)
      if (before === undefined) continue
      const at = iso(Math.max(Date.parse(before.createdAt), Math.min(Date.parse(occurredAt), world.now)))
      patch(userId, [messageId], {
        readAt: before.readAt ?? at,
        ...(eventType !== 'read' && { openedAt: before.openedAt ?? at, unopened: false }),
        ...(eventType === 'clicked' && { clickedAt: before.clickedAt ?? at }),
      })
    }
  }

  const change = (userId: string, ids: string[], body: Record<string, unknown>): void => {
    if (body.deleted === true) remove(userId, ids)
    const fields: MessagePatch = {}
    if (body.archived !== undefined) fields.archivedAt = body.archived ? iso(world.now) : null
    if (body.unopened !== undefined) fields.unopened = body.unopened as boolean
    if (body.snoozedUntil !== undefined) fields.snoozedUntil = body.snoozedUntil as string | null
    patch(userId, ids, fields)
  }

  const call = (userId: string, method: string, path: string, body: Record<string, unknown>): Answer => {
    const { pathname, searchParams } = new URL(path, 'http://service')
    const ok = (more: object = {}): Answer => ({ status: 200, body: { inbox: headOf(userId), ...more } })
    if (pathname === '/v1/inbox/changes') {
      return {
        status: 200,
        body: changesSince(userId, Number(searchParams.get('since')), searchParams.get('epoch') ?? ''),
      }
    }
    if (pathname === '/v1/inbox/messages') {
      const below = Number(searchParams.get('cursor') ?? Number.MAX_SAFE_INTEGER)
      const all = rows(userId, searchParams.get('filter') as InboxFilter).filter(({ seq }) => seq < below)
      const data = all.slice(0, 5)
      return ok({ data, nextCursor: all.length > data.length ? String(data.at(-1)?.seq) : null })
    }
    if (pathname === '/v1/notification/event/register') {
      register(userId, body.events as RegisterItem[])
      return ok({ results: [] })
    }
    if (pathname === '/v1/inbox/read-all') {
      const upTo = body.seq as number
      const ids = rows(userId, 'unopened')
        .filter(({ seq }) => seq <= upTo)
        .map(({ id }) => id)
      patch(userId, ids, { unopened: false })
      return ok()
    }
    if (pathname === '/v1/inbox/actions') {
      change(userId, body.ids as string[], body)
      return ok()
    }
    const id = pathname.split('/').at(-1) ?? ''
    if (!inboxOf(userId).messages.has(id)) return { status: 404, body: { code: 'message/not-found' } }
    change(userId, [id], method === 'DELETE' ? { deleted: true } : body)
    return ok()
  }

  return {
    inboxOf,
    rows,
    headOf,
    add,
    patch,
    remove,
    answer(method: string, path: string, token: string | undefined, body: Record<string, unknown>): Answer {
      if (path === '/v1/users/auth') return signIn(String(body.userId))
      const session = sessions.get(token ?? '')
      if (session === undefined || session.endsAt <= world.now)
        return { status: 401, body: { code: 'auth/invalid-session' } }
      if (method === 'DELETE' && path === '/v1/inbox/session') {
        sessions.delete(token ?? '')
        return { status: 204, body: {} }
      }
      return call(session.userId, method, path, body)
    },
    /** The first frame, or undefined for a session that does not hold. */
    connect({ token, since = 0, epoch }: HandshakeAuth, lineOf: (userId: string) => Line): InboxFrame | undefined {
      const session = sessions.get(token)
      if (session === undefined || session.endsAt <= world.now) return undefined
      const { userId } = session
      inboxOf(userId).lines.add(lineOf(userId))
      return frameSince(userId, since, epoch)
    },
    /** How many live. */
    sessionsOf: (userId: string) =>
      [...sessions.values()].filter((session) => session.userId === userId && session.endsAt > world.now).length,
    sync: (userId: string, since: number) => changesSince(userId, since, undefined),
    frameSince,
    /** Not those just made: who is refused with such a one is refused for good. */
    endSessions: () => {
      for (const [token, { endsAt }] of sessions) if (endsAt < world.now + SESSION_MS - 30_000) sessions.delete(token)
    },
    endAll: () => sessions.clear(),
    /** All sockets go, as with a process that is killed. */
    cutAll: () => {
      for (const { lines } of inboxes.values()) for (const line of [...lines]) line.cut()
    },
    /** The inbox lives in another store now. */
    moveTo(userId: string) {
      const inbox = inboxOf(userId)
      inbox.epoch = `${userId}-${++lastNo}`
      inbox.log = []
    },
    users: () => [...inboxes.keys()],
  }

  function signIn(userId: string): Answer {
    const sessionToken = `${userId}-${++lastNo}`
    sessions.set(sessionToken, { userId, endsAt: world.now + SESSION_MS })
    const answer = {
      sessionToken,
      expiresIn: SESSION_MS / 1000,
      expiresAt: iso(world.now + SESSION_MS),
      user: { userId },
      environment: { id: 'env', name: 'env', isProduction: false },
      realtime: { url: 'http://service', path: '/v1/realtime' },
      inbox: headOf(userId),
    }
    return { status: 200, body: answer }
  }
}

function messageOf(id: string, seq: number, createdAt: string): InboxMessage {
  return {
    ...{ id, seq, createdAt, title: id, body: '', bodyFormat: 'text', link: null, actions: [], category: null },
    ...{ entity: null, icon: null, imageUrl: null, priority: 'normal', data: {}, expiresAt: null, unopened: true },
    ...{ readAt: null, openedAt: null, clickedAt: null, archivedAt: null, snoozedUntil: null },
  }
}
