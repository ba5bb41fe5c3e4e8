// Serves /v1/sources: the sources of an environment, their secrets and their last deliveries.

import { boundedPageQuery } from '../../../contract/resources/page.ts'
import {
  createdSource,
  MAX_PASTED_CHARS,
  newSource,
  signatureTrial,
  signatureTrialAnswer,
  source,
  sourceChange,
  sourceList,
  sourceTrial,
  sourceTrialAnswer,
} from '../../../contract/resources/source.ts'
import {
  rotatedSourceSecret,
  sourceSecretEmergency,
  sourceSecretExtend,
  sourceSecretRetire,
  sourceSecretRotate,
  sourceSecretRotation,
  sourceSecretValues,
} from '../../../contract/resources/source-secret.ts'
import { changedBy, requireMayManage, requirePerson } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { ifMatchHeader, takesRevision, withEtag } from '../kernel/if-match.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services, SourceServices } from '../kernel/services.ts'
import { addDeliveryRoutes } from './source-deliveries.ts'

const PATH = '/v1/sources'
const ONE = `${PATH}/:sourceId`
const BASE = { tag: 'Connectors', caller: 'key' } as const
const WRITE = { ...BASE, role: 'admin', guards: [requireMayManage] } as const
const SECRET = { ...WRITE, method: 'post', maxBytes: 8 * 1024 } as const
const TRIAL_BYTES = 4 * 1024 * 1024
const ERRORS = ['authorization/not-allowed', 'source/not-found'] as const

export function addSourceRoutes(http: Http, { tryMappings, trySignature, ...services }: SourceServices): void {
  addReadRoutes(http, services)
  addDeliveryRoutes(http, services)
  addWriteRoutes(http, services)
  addPauseRoutes(http, services)
  addOverlapRoutes(http, services)
  addEndingRoutes(http, services)
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/try`,
      role: 'viewer',
      summary: 'Show what becomes of a payload with given mappings; writes nothing',
      body: sourceTrial,
      maxBytes: TRIAL_BYTES,
      answer: { status: 200, schema: sourceTrialAnswer },
      errors: [],
    },
    (call) => tryMappings(call.environment.id, call.body),
  )
  addRoute(
    http,
    {
      ...WRITE,
      method: 'post',
      guards: [requirePerson],
      path: `${ONE}/try-signature`,
      summary: 'Show both signatures of a pasted request and what is signed, to owners and admins, never to a key',
      body: signatureTrial,
      bodyGuard: { stringBytes: MAX_PASTED_CHARS },
      maxBytes: 2 * MAX_PASTED_CHARS,
      answer: { status: 200, schema: signatureTrialAnswer },
      errors: [...ERRORS, 'request/conflict'],
    },
    (call) => trySignature(call.environment.id, idOf(call), call.body, changedBy(call)),
  )
}

function addReadRoutes(http: Http, { manageSources: sources }: Pick<Services, 'manageSources'>): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'List the sources of connectors, newest first',
      query: boundedPageQuery,
      answer: { status: 200, schema: sourceList },
      errors: [],
    },
    (call) => sources.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: ONE,
      role: 'viewer',
      summary: 'Read a source with its state',
      answer: { status: 200, schema: source },
      errors: ['source/not-found'],
    },
    async (call) => withEtag(call, await sources.get(call.environment.id, idOf(call))),
  )
}

function addWriteRoutes(http: Http, { manageSources: sources }: Pick<Services, 'manageSources'>): void {
  addRoute(
    http,
    {
      ...WRITE,
      method: 'post',
      path: PATH,
      summary: 'Add a source, and answer the value of its secret this once',
      body: newSource,
      answer: { status: 201, schema: createdSource },
      errors: ['authorization/not-allowed', 'request/conflict'],
    },
    async (call) => withEtag(call, await sources.create(call.environment.id, call.body, changedBy(call))),
  )
  addRoute(
    http,
    {
      ...WRITE,
      method: 'put',
      path: ONE,
      summary: 'Change the name, the mappings and the checks of a source; absent fields stay',
      headers: ifMatchHeader,
      body: sourceChange,
      answer: { status: 200, schema: source },
      errors: [...ERRORS, 'request/conflict'],
    },
    async (call) => {
      const change = [idOf(call), call.body, changedBy(call), takesRevision(call.c)] as const
      return withEtag(call, await sources.put(call.environment.id, ...change))
    },
  )
  addRoute<'key'>(
    http,
    {
      ...WRITE,
      method: 'delete',
      path: ONE,
      summary: 'Remove a source; its address answers 404 from then on',
      headers: ifMatchHeader,
      answer: DELETED,
      errors: [...ERRORS, 'request/conflict'],
    },
    (call) => sources.remove(call.environment.id, idOf(call), changedBy(call), takesRevision(call.c)),
  )
}

function addPauseRoutes(http: Http, { manageSources: sources }: Pick<Services, 'manageSources'>): void {
  const base = {
    ...BASE,
    method: 'post',
    role: 'editor',
    guards: [requireMayManage],
    headers: ifMatchHeader,
    answer: { status: 200, schema: source },
    errors: [...ERRORS, 'request/conflict'],
  } as const
  const changeOf = (call: CallHead<'key'>) =>
    [call.environment.id, idOf(call), changedBy(call), takesRevision(call.c)] as const
  addRoute<'key'>(
    http,
    { ...base, path: `${ONE}/pause`, summary: 'Drop deliveries, and answer them 200' },
    async (call) => withEtag(call, await sources.pause(...changeOf(call))),
  )
  addRoute<'key'>(http, { ...base, path: `${ONE}/resume`, summary: 'Take deliveries again' }, async (call) =>
    withEtag(call, await sources.resume(...changeOf(call))),
  )
}

function addOverlapRoutes(http: Http, { rotateSourceSecret: secrets }: Pick<Services, 'rotateSourceSecret'>): void {
  const errors = [...ERRORS, 'request/conflict'] as const
  addRoute(
    http,
    {
      ...SECRET,
      path: `${ONE}/rotate`,
      summary: 'Add a value of the secret, shown once; the old one is accepted until the overlap ends',
      body: sourceSecretRotate,
      isBodyOptional: true,
      answer: { status: 200, schema: rotatedSourceSecret },
      errors,
    },
    (call) => secrets.rotate(call.environment.id, idOf(call), changedBy(call), call.body),
  )
  addRoute(
    http,
    {
      ...SECRET,
      path: `${ONE}/extend`,
      summary: 'Let the old value of an overlap live longer',
      body: sourceSecretExtend,
      isBodyOptional: true,
      answer: { status: 200, schema: sourceSecretRotation },
      errors,
    },
    (call) => secrets.extend(call.environment.id, idOf(call), changedBy(call), call.body.overlap),
  )
  addRoute<'key'>(
    http,
    {
      ...SECRET,
      guards: [requirePerson],
      path: `${ONE}/show`,
      summary: 'Show the live values of the secret to owners and admins, never to a key; the audit log records it',
      answer: { status: 200, schema: sourceSecretValues },
      errors: ERRORS,
    },
    (call) => secrets.show(call.environment.id, idOf(call), changedBy(call)),
  )
}

function addEndingRoutes(http: Http, { rotateSourceSecret: secrets }: Pick<Services, 'rotateSourceSecret'>): void {
  const errors = [...ERRORS, 'request/conflict'] as const
  addRoute(
    http,
    {
      ...SECRET,
      path: `${ONE}/retire`,
      summary: 'End the old value of an overlap now: deliveries signed with it are refused',
      body: sourceSecretRetire,
      answer: { status: 200, schema: sourceSecretRotation },
      errors,
    },
    (call) => secrets.retire(call.environment.id, idOf(call), changedBy(call)),
  )
  addRoute(
    http,
    {
      ...SECRET,
      path: `${ONE}/emergency`,
      summary: 'Add a value of the secret, shown once, and end all others now',
      body: sourceSecretEmergency,
      answer: { status: 200, schema: rotatedSourceSecret },
      errors,
    },
    (call) => secrets.emergency(call.environment.id, idOf(call), changedBy(call), call.body),
  )
}

const idOf = ({ params }: Pick<CallHead<'key'>, 'params'>) => params.sourceId ?? ''
