// Who is connected here: our own maps in place of rooms (choices section 3: 1.25–1.8 times faster).

import type { Member } from './member.ts'

export interface Presence {
  add(member: Member): void
  remove(member: Member): void
  /** After `session:renew`: the member is found by its new session alone. */
  changeSession(member: Member, session: Member['session']): void
  ofUser(userNo: number): ReadonlySet<Member> | undefined
  ofSession(sessionId: number): ReadonlySet<Member> | undefined
  /** Members in sets whose sessions stand on the same keys: thousands of sockets, a few sets. */
  byVoucher(): Iterable<ReadonlySet<Member>>
  userNos(): number[]
  all(): Iterable<Member>
  size(): number
}

export function createPresence(): Presence {
  const members = new Set<Member>()
  const byUser = new Map<number, Set<Member>>()
  const bySession = new Map<number, Set<Member>>()
  const byVoucher = new Map<string, Set<Member>>()

  return {
    add(member) {
      members.add(member)
      put(byUser, member.session.userNo, member)
      put(bySession, member.session.id, member)
      put(byVoucher, voucherOf(member), member)
    },
    remove(member) {
      members.delete(member)
      take(byUser, member.session.userNo, member)
      take(bySession, member.session.id, member)
      take(byVoucher, voucherOf(member), member)
    },
    changeSession(member, session) {
      take(bySession, member.session.id, member)
      take(byVoucher, voucherOf(member), member)
      member.session = session
      put(bySession, session.id, member)
      put(byVoucher, voucherOf(member), member)
    },
    ofUser: (userNo) => byUser.get(userNo),
    ofSession: (sessionId) => bySession.get(sessionId),
    byVoucher: () => byVoucher.values(),
    userNos: () => [...byUser.keys()],
    all: () => members,
    size: () => members.size,
  }
}

function voucherOf({ session }: Member): string {
  return `${session.environmentId} ${session.frontKeyId} ${session.credential}`
}

function put<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([member]))
  else set.add(member)
}

function take<K>(map: Map<K, Set<Member>>, key: K, member: Member): void {
  const set = map.get(key)
  set?.delete(member)
  if (set?.size === 0) map.delete(key)
}
