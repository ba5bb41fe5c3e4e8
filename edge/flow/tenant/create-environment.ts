// Creates an environment with one value of each of its secrets.

import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import { nameTaken } from '../../domain/tenant/parse-name.ts'
import type { IdSource } from '../../lib/id.ts'
import { ENVIRONMENT_NOUN } from './change-environment.ts'
import { changeStored } from './change-stored.ts'
import { makeSecret } from './make-secret.ts'

/** The values of the new secrets: the only time that `sdkSecretKey` can be shown. */
export type SecretValues = Record<SecretKind, string>

interface CreatedEnvironment {
  environment: Environment
  values: SecretValues
}

export type EnvironmentDraft = Omit<Environment, 'id' | 'createdAt'>

export function createCreateEnvironment(
  deps: Pick<Core, 'environments' | 'clock' | 'seal'> & {
    ids: { environment: IdSource; secret: IdSource }
    region: string
    newSecretValue(kind: SecretKind, region: string): string
  },
) {
  return function createEnvironment(draft: EnvironmentDraft, by: ChangedBy): Promise<CreatedEnvironment> {
    return changeStored('environment', () => createOnce(draft, by))
  }

  async function createOnce(draft: EnvironmentDraft, by: ChangedBy): Promise<CreatedEnvironment> {
    const environment: Environment = { ...draft, id: deps.ids.environment.next(), createdAt: deps.clock.now() }
    const { id: environmentId, name: subject, createdAt: at, isProduction } = environment
    const entry = { at, ...by, action: 'env.create', environmentId, subject, detail: { isProduction } }
    const values = SECRET_KINDS.map((kind) => [kind, deps.newSecretValue(kind, deps.region)] as const)
    const secrets = await Promise.all(values.map(([kind, value]) => makeSecret(deps, environmentId, kind, value)))
    if (!(await deps.environments.create(environment, secrets, entry))) throw nameTaken(ENVIRONMENT_NOUN)
    return { environment, values: Object.fromEntries(values) as SecretValues }
  }
}
