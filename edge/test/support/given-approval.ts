// Starts an edge with an environment that asks for approval, and with people who ask and answer.

import { expect } from 'vitest'
import { type GivenEdge, givenEdge } from './given.ts'
import { type DashboardPerson, givenDashboard } from './given-dashboard.ts'

const APPROVAL = { requirePublishApproval: true, publishRole: 'editor', sdkKeyMayManage: true }

export interface GivenApproval {
  given: GivenEdge
  dashboard: ReturnType<typeof givenDashboard>
  owner: DashboardPerson
  admin: DashboardPerson
  /** An editor, as Bob is. */
  ann: DashboardPerson
  bob: DashboardPerson
  viewer: DashboardPerson
  org: string
  /** Of the environment, for people. */
  path: string
  /** Of the environment: it may manage. */
  key: string
  /** Changes settings of the environment; without any, an editor's approval is asked for. */
  setRules(body?: object): Promise<void>
}

/** Call `given.stop` at the end. */
export async function givenApproval(): Promise<GivenApproval> {
  const given = await givenEdge()
  const { organisation, dashboard: founder, environments } = given.demo
  const dashboard = givenDashboard(given)
  const org = organisation.id
  const path = `/v1/dashboard/environments/${environments.prod.id}`
  const owner = await dashboard.signIn(founder.email, founder.password)
  const setRules = async (body: object = APPROVAL) => {
    expect((await owner.call('PUT', path, { body })).status).toBe(200)
  }
  await setRules()
  return {
    ...{ given, dashboard, owner, org, path, setRules, key: environments.prod.sdkSecretKey },
    admin: await dashboard.join(org, 'admin@example.com', 'admin'),
    ann: await dashboard.join(org, 'ann@example.com', 'editor'),
    bob: await dashboard.join(org, 'bob@example.com', 'editor'),
    viewer: await dashboard.join(org, 'vic@example.com', 'viewer'),
  }
}
