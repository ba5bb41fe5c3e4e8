// Elements of one page that show the same user share one inbox: one sign-in, one log, one queue.

import type { InboxMessage } from '../../contract/api.ts'
import type { Failure } from '../lib/failure.ts'
import { type Credential, subjectOf } from '../transport/session.ts'
import { type ControllerOptions, createInboxController, type InboxController } from './inbox-controller.ts'

interface Joined {
  key: string
  controller: InboxController
  /** The one that joined or brought a credential last stands last. */
  members: Set<ControllerOptions>
}

/** Of this version of the widget: another one on the page has its own. */
const all = new Set<Joined>()

/** Undefined where it cannot be told beforehand who it is. */
function keyOf(baseUrl: string, { apiKey, authType, userId, token, tokenProvider }: Credential): string | undefined {
  // A JWT says by itself whose it is, whatever stands beside it.
  const subject = authType === 'backendToken' ? userId : (subjectOf(token) ?? token)
  const isKnown = subject !== null && (tokenProvider === null || userId !== null)
  return isKnown ? JSON.stringify([baseUrl, apiKey, authType, userId, subject]) : undefined
}

/** An inbox of the page: that of another element of the same user, else a new one. `stop` leaves it; the last one ends it. */
export function joinInbox(options: ControllerOptions): InboxController {
  const credential = options.credential()
  const key = keyOf(options.baseUrl, credential)
  // Who watches its inbox has it alone.
  if (key === undefined || options.watch !== undefined) return createInboxController(options)
  const found = [...all].find((each) => each.key === key && providerOf(each) === credential.tokenProvider)
  const joined = found ?? begin(key, options)
  joined.members.add(options)
  if (found?.controller.failure) void found.controller.signInAgain()
  return asMember(joined, options)
}

/** The function that is asked for the next token. */
const providerOf = ({ members }: Joined) => [...members].at(-1)?.credential().tokenProvider

function begin(key: string, first: ControllerOptions): Joined {
  const members = new Set<ControllerOptions>([first])
  const each = (tell: (member: ControllerOptions) => void): void => {
    for (const member of [...members]) if (members.has(member)) tell(member)
  }
  let last = first
  const controller = createInboxController({
    ...first,
    // Who leaves last is still asked when the last delivery events go out.
    credential: () => {
      last = [...members].at(-1) ?? last
      return last.credential()
    },
    staysAwake: () => [...members].some((member) => member.staysAwake?.()),
    onChange: () => each((member) => member.onChange()),
    onArrive: (messages: InboxMessage[]) => each((member) => member.onArrive(messages)),
    onFailure: (failure: Failure) => each((member) => member.onFailure(failure)),
  })
  const joined = { key, controller, members }
  all.add(joined)
  return joined
}

/** The joined inbox as one element has it: silent, and signed out, once it has left. */
function asMember(joined: Joined, member: ControllerOptions): InboxController {
  const { controller, members } = joined
  let hasLeft = false
  const standLast = (): void => {
    members.delete(member)
    members.add(member)
  }
  return Object.create(controller, {
    status: { get: () => (hasLeft ? 'signed-out' : controller.status) },
    signInAgain: {
      value: async () => {
        standLast()
        await controller.signInAgain()
      },
    },
    providerChanged: {
      value: () => {
        standLast()
        controller.providerChanged()
      },
    },
    stop: {
      value: async (how: Parameters<InboxController['stop']>[0] = {}) => {
        hasLeft = true
        members.delete(member)
        // A sign-out is one for all.
        const isOver = members.size === 0 || how.endsSession === true
        if (isOver && all.delete(joined)) await controller.stop(how)
      },
    },
  })
}
