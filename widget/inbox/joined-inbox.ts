// Elements of one page that show the same user share one inbox: one sign-in, one log, one queue.

import { type Credential, subjectOf } from '../transport/session.ts'
import type { StopOptions } from './core-types.ts'
import { Inbox, type InboxOptions } from './inbox.ts'

/** Of this version of the widget: another one on the page has its own. */
const all = new Set<JoinedInbox>()

/** An inbox with the hosts that show it. */
export class JoinedInbox {
  readonly inbox: Inbox
  /** Undefined where it is not known beforehand who the user is: then nobody else joins. */
  readonly #key: string | undefined
  /** The one that joined or brought a credential last is last. */
  readonly #members: Set<InboxOptions>
  #last: InboxOptions

  private constructor(key: string | undefined, first: InboxOptions) {
    this.#key = key
    this.#members = new Set([first])
    this.#last = first
    this.inbox = new Inbox({
      ...first,
      credential: () => this.#newest().credential(),
      staysAwake: () => [...this.#members].some((member) => member.staysAwake?.()),
      onChange: () => this.#forEach((member) => member.onChange()),
      onArrive: (messages) => this.#forEach((member) => member.onArrive(messages)),
      onFailure: (failure) => this.#forEach((member) => member.onFailure(failure)),
    })
  }

  /** @returns the page's inbox of the same user, else a new one */
  static join(member: InboxOptions): JoinedInbox {
    const credential = member.credential()
    // Who watches its inbox has it alone.
    const key = member.watch === undefined ? keyOf(member.baseUrl, credential) : undefined
    const found = [...all].find((each) => each.#isFor(key, credential))
    if (found === undefined) {
      const joined = new JoinedInbox(key, member)
      if (key !== undefined) all.add(joined)
      return joined
    }
    found.#members.add(member)
    if (found.inbox.failure) void found.inbox.signInAgain()
    return found
  }

  async tokenChanged(member: InboxOptions): Promise<void> {
    this.#moveLast(member)
    await this.inbox.tokenChanged()
  }

  providerChanged(member: InboxOptions): void {
    this.#moveLast(member)
    this.inbox.providerChanged()
  }

  /** The last member ends the inbox; so does a sign-out, for all. */
  async leave(member: InboxOptions, how: StopOptions = {}): Promise<void> {
    this.#newest()
    this.#members.delete(member)
    if (this.#members.size > 0 && how.endsSession !== true) return
    all.delete(this)
    await this.inbox.stop(how)
  }

  #isFor(key: string | undefined, { tokenProvider }: Credential): boolean {
    return key !== undefined && this.#key === key && this.#newest().credential().tokenProvider === tokenProvider
  }

  /** Who leaves last is still asked when the last delivery events go out. */
  #newest(): InboxOptions {
    this.#last = [...this.#members].at(-1) ?? this.#last
    return this.#last
  }

  #moveLast(member: InboxOptions): void {
    this.#members.delete(member)
    this.#members.add(member)
  }

  #forEach(call: (member: InboxOptions) => void): void {
    for (const member of [...this.#members]) if (this.#members.has(member)) call(member)
  }
}

/** Undefined where it is not known beforehand who the user is. */
function keyOf(baseUrl: string, { apiKey, authType, userId, token, tokenProvider }: Credential): string | undefined {
  // A JWT names its subject, whatever stands beside it.
  const subject = authType === 'backendToken' ? userId : (subjectOf(token) ?? token)
  const isKnown = subject !== null && (tokenProvider === null || userId !== null)
  return isKnown ? JSON.stringify([baseUrl, apiKey, authType, userId, subject]) : undefined
}
