// Signs people in to the dashboard of a running edge, and sends calls with their cookies.

import type { Role } from '../../../contract/role.ts'
import type { Answer, GivenEdge } from './given.ts'
import { givenNc } from './given-nc.ts'

export const PASSWORD = 'a long password'

export interface DashboardPerson {
  email: string
  cookie: string
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer<T>>
}

/** Returns status, code and reason of an answer in one text. */
export function outcomeOf({ status, body }: Pick<Answer<object>, 'status' | 'body'>): string {
  const { code, reason } = body as { code?: string; reason?: string }
  return [status, code, reason].filter((part) => part !== undefined).join(' ')
}

/** Returns the cookie of an answer as the browser sends it back. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

export function givenDashboard(given: Pick<GivenEdge, 'call' | 'settings'>) {
  const cli = givenNc(given.settings)
  const SAME_SITE = { 'x-nc-request': '1' }

  function personOf(email: string, cookie: string): DashboardPerson {
    return {
      email,
      cookie,
      call: (method, path, options = {}) =>
        given.call(method, path, { ...options, headers: { cookie, ...SAME_SITE, ...options.headers } }),
    }
  }

  async function post(path: string, body: unknown): Promise<Answer> {
    return given.call('POST', `/v1/dashboard/auth/${path}`, { body, headers: SAME_SITE })
  }

  return {
    cli,
    post,
    personOf,
    async signIn(email: string, password = PASSWORD): Promise<DashboardPerson> {
      const answer = await post('sign-in', { email, password })
      if (answer.status !== 200) throw new Error(`sign-in refused: ${JSON.stringify(answer.body)}`)
      return personOf(email, cookieOf(answer))
    },
    /** Returns the token of the link that the command line prints. */
    async invite(org: string, email: string, role: Role): Promise<string> {
      const { link } = await cli.json<{ link: string }>(`member invite --org ${org} --email ${email} --role ${role}`)
      return link.split('#')[1] ?? ''
    },
    /** Makes a person a member by an invitation. */
    async join(org: string, email: string, role: Role): Promise<DashboardPerson> {
      const answer = await post('invitations/accept', {
        token: await this.invite(org, email, role),
        password: PASSWORD,
      })
      if (answer.status !== 200) throw new Error(`invitation refused: ${JSON.stringify(answer.body)}`)
      return personOf(email, cookieOf(answer))
    },
  }
}
