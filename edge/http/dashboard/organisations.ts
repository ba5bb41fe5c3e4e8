// Serves organisations: their creation, onboarding, region and settings.

import {
  newOrganisation,
  type OrganisationAnswer,
  organisation,
  regionChoice,
} from '../../../contract/resources/organisation.ts'
import {
  type OrganisationSettingsChange,
  organisationSettings,
  organisationSettingsChange,
} from '../../../contract/resources/organisation-settings.ts'
import type { Role } from '../../../contract/role.ts'
import { findContactFaults } from '../../flow/tenant/find-address-faults.ts'
import { ApiError } from '../../lib/api-error.ts'
import { changedByPerson } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'
import { requireFullSession } from './full-session.ts'

const PATH = '/v1/dashboard/organisations/:org'
const TAG = 'Dashboard organisations'
const MAX_BYTES = 8 * 1024
/** Organisations of one person; more are a slip, or a misuse. */
const MAX_ORGANISATIONS = 100

export function addDashboardOrganisationRoutes(
  http: Http,
  { changeOrganisation, readOrganisation }: Pick<Services, 'changeOrganisation' | 'readOrganisation'>,
): void {
  const read = async (id: number, role: Role): Promise<OrganisationAnswer> => ({
    ...(await readOrganisation(id)),
    role,
  })
  addRoute(
    http,
    {
      method: 'post',
      path: '/v1/dashboard/auth/organisations',
      summary: 'Create an organisation and become its owner; its onboarding is open',
      tag: TAG,
      caller: 'person',
      guards: [requireFullSession],
      body: newOrganisation,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: organisation },
      errors: ['request/conflict', 'authorization/not-allowed'],
    },
    async (call) => {
      const { person, memberships } = call.signedIn
      if (memberships.length >= MAX_ORGANISATIONS) {
        const message = `You belong to ${memberships.length} organisations. Leave some of them first.`
        throw new ApiError('request/conflict', { message })
      }
      const { id } = await changeOrganisation.create(call.body.name, null, changedByPerson(call), person)
      return read(id, 'owner')
    },
  )
  const common = { tag: TAG, caller: 'member' } as const
  addRoute(
    http,
    {
      ...common,
      method: 'get',
      path: PATH,
      summary: 'Read an organisation with its settings and the steps of its onboarding',
      role: 'viewer',
      answer: { status: 200, schema: organisation },
      errors: [],
    },
    async (call) => withEtag(call, await read(call.membership.organisationId, call.membership.role)),
  )
  addRoute(
    http,
    {
      ...common,
      method: 'post',
      path: `${PATH}/region`,
      summary: 'Choose the region, once and for good',
      role: 'owner',
      body: regionChoice,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: organisation },
      errors: ['region/already-set'],
    },
    async (call) => {
      const { organisationId, role } = call.membership
      await changeOrganisation.setRegion(organisationId, call.body.region, changedByPerson(call))
      return read(organisationId, role)
    },
  )
  addSettingsRoutes(http, { changeOrganisation })
}

function addSettingsRoutes(http: Http, { changeOrganisation }: Pick<Services, 'changeOrganisation'>): void {
  const common = {
    tag: TAG,
    caller: 'member',
    path: `${PATH}/settings`,
    role: 'admin',
    body: organisationSettingsChange,
    faults: findContactFaults,
    maxBytes: MAX_BYTES,
  } as const
  addRoute<'member', OrganisationSettingsChange>(
    http,
    {
      ...common,
      method: 'post',
      summary: 'Create the settings, once',
      answer: { status: 201, schema: organisationSettings },
      errors: ['organization-settings/already-exists', 'request/conflict'],
    },
    (call) => changeOrganisation.createSettings(call.membership.organisationId, call.body, changedByPerson(call)),
  )
  addRoute<'member', OrganisationSettingsChange>(
    http,
    {
      ...common,
      method: 'put',
      summary: 'Change settings; fewer days of retention delete what is older. The ETag is that of the organisation',
      headers: ifMatchHeader,
      answer: { status: 200, schema: organisationSettings },
      errors: ['request/not-found', 'request/conflict'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const change = [organisationId, call.body, changedByPerson(call), takesRevision(call.c)] as const
      return withEtag(call, await changeOrganisation.changeSettings(...change))
    },
  )
}
