// Serves the notification configs of an organisation.

import {
  type ConfigAnswer,
  type NotificationConfigContent,
  notificationConfig,
  notificationConfigContent,
  notificationConfigPage,
  savedNotificationConfig,
} from '../../../contract/resources/notification-config.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import type { PreviewLayout } from '../../flow/mail/preview-layout.ts'
import { findConfigFaults } from '../../flow/tenant/find-address-faults.ts'
import { changedByPerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import { type CallHead, DOCUMENTS } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/dashboard/organisations/:org/notification-configs'
const BASE = { tag: 'Dashboard notification configs', caller: 'member' } as const
const NOT_FOUND = ['notification/config-not-found', 'authorization/unauthorizedConfigIdForOrganisation'] as const

async function answerSaved(call: CallHead<'member'>, layouts: Pick<PreviewLayout, 'warn'>, config: ConfigAnswer) {
  return withEtag(call, { ...config, warnings: await layouts.warn(call.membership.organisationId, config) })
}

export function addDashboardConfigRoutes(
  http: Http,
  { manageConfigs, previewLayout }: Pick<Services, 'manageConfigs' | 'previewLayout'>,
): void {
  addReadRoutes(http, { manageConfigs })
  addRoute<'member', NotificationConfigContent>(
    http,
    {
      ...BASE,
      method: 'post',
      path: PATH,
      summary: 'Create a notification config; its name is unique in the organisation',
      role: 'editor',
      body: notificationConfigContent,
      faults: findConfigFaults,
      ...DOCUMENTS,
      answer: { status: 201, schema: savedNotificationConfig },
      errors: ['request/conflict'],
    },
    async (call) => {
      const config = await manageConfigs.create(call.membership.organisationId, call.body, changedByPerson(call))
      return answerSaved(call, previewLayout, config)
    },
  )
  addRoute<'member', NotificationConfigContent>(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/:configId`,
      summary: 'Replace a notification config',
      role: 'editor',
      body: notificationConfigContent,
      faults: findConfigFaults,
      headers: ifMatchHeader,
      ...DOCUMENTS,
      answer: { status: 200, schema: savedNotificationConfig },
      errors: [...NOT_FOUND, 'request/conflict'],
    },
    async (call) => {
      const { organisationId } = call.membership
      const change = [call.params.configId ?? '', call.body, changedByPerson(call), takesRevision(call.c)] as const
      return answerSaved(call, previewLayout, await manageConfigs.put(organisationId, ...change))
    },
  )
  addRemovalRoute(http, { manageConfigs })
}

function addReadRoutes(http: Http, { manageConfigs }: Pick<Services, 'manageConfigs'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      summary: 'List the notification configs, newest first',
      role: 'viewer',
      query: pageQuery,
      answer: { status: 200, schema: notificationConfigPage },
      errors: [],
    },
    (call) => manageConfigs.list(call.membership.organisationId, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:configId`,
      summary: 'Read a notification config',
      role: 'viewer',
      answer: { status: 200, schema: notificationConfig },
      errors: NOT_FOUND,
    },
    async (call) => withEtag(call, await manageConfigs.get(call.membership.organisationId, call.params.configId ?? '')),
  )
}

function addRemovalRoute(http: Http, { manageConfigs }: Pick<Services, 'manageConfigs'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'delete',
      path: `${PATH}/:configId`,
      summary: 'Remove a notification config that no environment and no campaign names',
      role: 'admin',
      headers: ifMatchHeader,
      answer: DELETED,
      errors: [...NOT_FOUND, 'request/conflict'],
    },
    (call) => {
      const { organisationId } = call.membership
      return manageConfigs.remove(
        organisationId,
        call.params.configId ?? '',
        changedByPerson(call),
        takesRevision(call.c),
      )
    },
  )
}
