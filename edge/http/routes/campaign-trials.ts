// Serves the preview, test, dry run and funnel of a campaign, and the texts that change when it is published.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { explainRequest, explanation } from '../../../contract/resources/campaign-explanation.ts'
import {
  campaignTest,
  dryRun,
  dryRunRequest,
  previewAnswer,
  previewRequest,
  testRequest,
  textChanges,
  textChangesRequest,
} from '../../../contract/resources/campaign-trial.ts'
import type { MailWarning } from '../../../contract/resources/mail.ts'
import { statsQuery } from '../../../contract/resources/stats.ts'
import { doubtsQuery } from '../../../contract/resources/tried-doubt.ts'
import { funnelAnswer } from '../../../contract/schemas.ts'
import type { Environment } from '../../domain/environment.ts'
import type { ExplainCampaign } from '../../flow/campaigns/explain/explain-campaign.ts'
import type { ReadFunnel } from '../../flow/campaigns/read-funnel.ts'
import type { Tried } from '../../flow/doubts/tell-doubts.ts'
import type { ReadSentMail } from '../../flow/mail/read-sent-mail.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { guardJson } from '../../lib/json-guard.ts'
import { requireMayManage } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { DOCUMENTS, type ManagementCaller } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/campaigns/:id'
const BASE = { tag: 'Campaigns', caller: 'key' } as const
/** With those of a definition in the body. */
const ERRORS = [
  'campaign/not-found',
  'campaign/invalid-definition',
  'notification/config-not-found',
  'authorization/unauthorizedConfigIdForOrganisation',
] as const

/** Properties keep the digits of large integers, as when they are tracked; a definition has none, as when it is saved. */
const TRIALS = {
  ...DOCUMENTS,
  bodyGuard: { ...DOCUMENTS.bodyGuard, keepsLargeIntegers: true },
  faults: ({ definition }: JsonObject): ErrorDetail[] => {
    const fault = isRecord(definition) ? guardJson(definition, DOCUMENTS.bodyGuard) : undefined
    return fault === undefined ? [] : [{ ...fault, path: `definition.${fault.path}` }]
  },
}

/** A message of another channel has no mail, and the record of a mail says why it was not composed. */
async function describeMails(readSentMail: ReadSentMail, environment: Environment, messageIds: string[]) {
  const mails: { messageId: string; htmlBytes: number; warnings: MailWarning[] }[] = []
  for (const messageId of messageIds) {
    const mail = await readSentMail(environment, messageId).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined
      throw error
    })
    if (mail !== undefined) mails.push({ messageId, htmlBytes: mail.htmlBytes, warnings: mail.warnings })
  }
  return mails
}

/** @returns the answer, without doubts that nobody asked for */
function asked<T extends Tried>({ query }: { query: { doubts: 'true' | 'false' } }, answer: T): T {
  return query.doubts === 'true' ? answer : { ...answer, doubts: undefined }
}

/** @throws `authorization/not-allowed` for a key, and for the command line */
function ownAddress(caller: ManagementCaller): string {
  if ('person' in caller) return caller.person.email
  throw new ApiError('authorization/not-allowed', {
    message: 'Only people who are signed in to the dashboard have an address of their own.',
  })
}

/** Adds routes that do not change a campaign, so that every key may call them. */
export function addCampaignTrialRoutes(
  http: Http,
  {
    tryCampaign,
    explainCampaign,
    readFunnel,
    readSentMail,
  }: Pick<Services, 'tryCampaign' | 'explainCampaign' | 'readFunnel' | 'readSentMail'>,
): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/preview`,
      summary: 'Render a step of the draft as for a real message',
      role: 'viewer',
      body: previewRequest,
      query: doubtsQuery,
      answer: { status: 200, schema: previewAnswer },
      ...TRIALS,
      errors: ERRORS,
    },
    async (call) => asked(call, await tryCampaign.preview(call.environment, call.params.id ?? '', call.body)),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/dry-run`,
      summary: 'List the steps that the draft would take; writes nothing',
      role: 'viewer',
      body: dryRunRequest,
      query: doubtsQuery,
      answer: { status: 200, schema: dryRun },
      ...TRIALS,
      errors: ERRORS,
    },
    async (call) => asked(call, await tryCampaign.dryRun(call.environment, call.params.id ?? '', call.body)),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/test`,
      role: 'editor',
      summary: 'Send the draft to one user, marked as a test and counted nowhere',
      body: testRequest,
      query: doubtsQuery,
      answer: { status: 200, schema: campaignTest },
      ...TRIALS,
      errors: ['authorization/not-allowed', ...ERRORS],
    },
    async (call) => {
      const { environment, secretId, params, query, correlationId } = call
      const { toOwnAddress, ...body } = call.body
      // Whoever may not change the campaign sends nothing else by it.
      if (body.definition !== undefined) requireMayManage(call)
      const input = toOwnAddress === true ? { ...body, email: ownAddress(call) } : body
      const answer = await tryCampaign.test(environment, secretId, params.id ?? '', input, correlationId)
      const tested = asked({ query }, answer)
      return { ...tested, mails: await describeMails(readSentMail, environment, tested.messageIds) }
    },
  )
  addExplainRoute(http, explainCampaign)
  addFunnelRoute(http, readFunnel)
}

function addExplainRoute(http: Http, explainCampaign: ExplainCampaign): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/explain`,
      summary: 'Explain step by step why a user would get the messages of the draft, or not; writes and sends nothing',
      role: 'viewer',
      body: explainRequest,
      ...TRIALS,
      answer: { status: 200, schema: explanation },
      errors: [...ERRORS, 'event/not-found'],
    },
    (call) => explainCampaign(call.environment, call.params.id ?? '', call.body),
  )
}

function addFunnelRoute(http: Http, readFunnel: ReadFunnel): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/stats`,
      role: 'viewer',
      summary: 'Read the funnel: live counters by window and channel',
      isReport: true,
      query: statsQuery,
      answer: { status: 200, schema: funnelAnswer },
      errors: ['campaign/not-found'],
    },
    (call) => readFunnel(call.environment.id, call.params.id ?? '', call.query),
  )
}

export function addTextChangesRoute(http: Http, { readTextChanges }: Pick<Services, 'readTextChanges'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/text-changes`,
      summary: 'Compare the translations and snippets of the published version with those that the draft takes now',
      role: 'viewer',
      body: textChangesRequest,
      answer: { status: 200, schema: textChanges },
      ...DOCUMENTS,
      errors: ERRORS,
    },
    (call) => readTextChanges(call.environment.id, call.params.id ?? '', call.body.definition),
  )
}
