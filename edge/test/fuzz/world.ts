// Makes what the requests of a fuzz name: a person with an organisation, two environments, their keys, and records of each kind.

import { createHmac } from 'node:crypto'
import { type Call, createCall } from './call.ts'
import type { FuzzServer } from './fuzz-server.ts'
import { createRecords, type Keys, type Place } from './records.ts'
import type { Client } from './send.ts'

export const PASSWORD = 'a long password of the fuzz'

export interface World {
  cookie: string
  org: string
  /** Where most requests go. */
  own: Place
  /** Its records are foreign to the keys of `own`. */
  other: Place
  /** What calls that end a session, a key or an environment take. */
  victim: { cookie: string; place: Place }
}

export interface WorldMaker {
  /** Makes a world. No other request may be under way: the link of the invitation is read from the log. */
  make(): Promise<World>
}

/** Sets the server up. @returns What makes one world after the other. */
export async function createWorldMaker(server: FuzzServer, client: Client): Promise<WorldMaker> {
  const call = createCall(client)
  const setUp = await call<{ organisations: { id: string }[] }>('POST', '/v1/dashboard/auth/setup', {
    body: {
      email: 'admin@fuzz.invalid',
      name: 'Admin',
      password: PASSWORD,
      organisationName: 'Fuzz',
      code: server.code,
    },
  })
  const admin = setUp.cookie
  const adminOrg = setUp.body.organisations[0]?.id
  let people = 0

  /** @returns The cookie of a new person, who is a member of the first organisation. */
  async function join(): Promise<string> {
    const email = `person${++people}@fuzz.invalid`
    const line = server.nextLine(({ msg, link }) => msg === 'invitation created' && link !== undefined)
    await call('POST', `/v1/dashboard/auth/organisations/${adminOrg}/invitations`, {
      cookie: admin,
      body: { email, role: 'viewer' },
    })
    const token = (await line).link?.split('#')[1]
    const body = { token, name: `Person ${people}`, password: PASSWORD }
    return (await call('POST', '/v1/dashboard/auth/invitations/accept', { body })).cookie
  }

  return {
    async make() {
      const cookie = await join()
      const org = await found(call, cookie)
      const places: Place[] = []
      for (const name of ['own', 'other', 'victim']) places.push(await createPlace(call, { cookie, org, name }))
      const [own, other, third] = places as [Place, Place, Place]
      return { cookie, org, own, other, victim: { cookie: await join(), place: third } }
    },
  }
}

async function found(call: Call, cookie: string): Promise<string> {
  const { body } = await call<{ id: string }>('POST', '/v1/dashboard/auth/organisations', {
    cookie,
    body: { name: 'Founded' },
  })
  const path = `/v1/dashboard/organisations/${body.id}`
  await call('POST', `${path}/region`, { cookie, body: { region: 'eu' } })
  await call('POST', `${path}/settings`, { cookie, body: {} })
  return body.id
}

interface PlaceOptions {
  cookie: string
  org: string
  name: string
}

async function createPlace(call: Call, { cookie, org, name }: PlaceOptions): Promise<Place> {
  const { body } = await call<{ id: string; secrets: Keys }>(
    'POST',
    `/v1/dashboard/organisations/${org}/environments`,
    {
      cookie,
      body: { name },
    },
  )
  const envId = body.id
  const { sdkSecretKey, frontApiKey, authSecretKey } = body.secrets
  const keys = { sdkSecretKey, frontApiKey, authSecretKey }
  const { ids, sources } = await createRecords(call, keys, { cookie, org, envId })
  return { ...keys, envId, session: await signIn(call, keys, 'u_1'), sources, ids }
}

async function signIn(call: Call, { frontApiKey, authSecretKey }: Keys, userId: string): Promise<string> {
  const body = { apiKey: frontApiKey, userId, token: tokenOf(authSecretKey, userId) }
  return (await call<{ sessionToken: string }>('POST', '/v1/users/auth', { body })).body.sessionToken
}

/** @returns The backend token of a user. */
export function tokenOf(authSecretKey: string, userId: string): string {
  return createHmac('sha256', authSecretKey).update(userId).digest('hex')
}
