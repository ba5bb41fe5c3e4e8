// Rotates and shows the secret of a source, as those of an environment.

import type { GivenSecret, SourceSecretRotate } from '../../../contract/resources/source-secret.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import { secretKindOf } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import type { SourceSecretKind } from '../../domain/secret.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RotateSecret, RotationAnswer } from './rotate-secret.ts'
import type { ShowSecret } from './show-secret.ts'

export type RotateSourceSecret = ReturnType<typeof createRotateSourceSecret>

const SECRET = 'verificationSecret' as const

const toState = (rotation: RotationAnswer<SourceSecretKind>) => ({ ...rotation, kind: SECRET })

function toNewValue({ value, rotation }: { value: string; rotation: RotationAnswer<SourceSecretKind> }) {
  return { ...toState(rotation), [SECRET]: value }
}

/** Each throws `source/not-found`, and the errors of an environment's secrets. */
export function createRotateSourceSecret(
  deps: Pick<Core, 'sources'> & {
    rotateSecret: RotateSecret
    showSecret: ShowSecret
    /** Deletes the text of retired values. */
    settleRetired(): Promise<number>
  },
) {
  async function kindOf(environmentId: number, publicId: string): Promise<SourceSecretKind> {
    const source = await deps.sources.find(environmentId, publicId)
    if (source === undefined) throw new ApiError('source/not-found')
    return secretKindOf(source)
  }

  return {
    async rotate(environmentId: number, publicId: string, by: ChangedBy, input: SourceSecretRotate = {}) {
      const kind = await kindOf(environmentId, publicId)
      const { overlap, verificationSecret } = input
      return toNewValue(await deps.rotateSecret.rotate(environmentId, kind, by, overlap, verificationSecret))
    },
    async extend(environmentId: number, publicId: string, by: ChangedBy, overlapMs?: number) {
      const kind = await kindOf(environmentId, publicId)
      return toState(await deps.rotateSecret.extend(environmentId, kind, by, overlapMs))
    },
    async retire(environmentId: number, publicId: string, by: ChangedBy) {
      const kind = await kindOf(environmentId, publicId)
      const rotation = await deps.rotateSecret.retire(environmentId, kind, by)
      await deps.settleRetired()
      return toState(rotation)
    },
    async emergency(environmentId: number, publicId: string, by: ChangedBy, { verificationSecret }: GivenSecret = {}) {
      const kind = await kindOf(environmentId, publicId)
      const rotated = await deps.rotateSecret.emergency(environmentId, kind, by, verificationSecret)
      await deps.settleRetired()
      return toNewValue(rotated)
    },
    /** The live values, newest first, which the audit log records. */
    async show(environmentId: number, publicId: string, by: ChangedBy) {
      const { values } = await deps.showSecret(environmentId, await kindOf(environmentId, publicId), by)
      const [newest = ''] = values
      return { kind: SECRET, [SECRET]: newest, values }
    },
  }
}
