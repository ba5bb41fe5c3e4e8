// Seals every sealed value again: under the first master key, or in the format of this release.

import { SEALED_TABLES, type SealedTable, type SecretRotations } from '../../domain/tenant/secret-rotation.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Sealer } from '../../lib/seal.ts'

export interface ResealSecretsDeps {
  rotations: Pick<SecretRotations, 'listSealed' | 'reseal'>
  sealer: Pick<Sealer, 'seal' | 'open' | 'isCurrent'>
}

const PAGE = 100

/**
 * Seals all values under the first master key. Each value is its own write, conditional on the value that was read, so a
 * server may run meanwhile. After a crash it can be repeated: values that are sealed already are skipped.
 * @returns The number of values that were sealed again.
 */
export async function resealSecrets(deps: ResealSecretsDeps): Promise<number> {
  let resealed = 0
  for (const table of SEALED_TABLES) resealed += await resealTable(deps, table)
  return resealed
}

async function resealTable({ rotations, sealer }: ResealSecretsDeps, table: SealedTable): Promise<number> {
  let resealed = 0
  let afterId = 0
  for (;;) {
    const page = await rotations.listSealed(afterId, PAGE, table)
    for (const { id, sealed } of page) {
      afterId = id
      if (sealer.isCurrent(sealed)) continue
      if (await rotations.reseal(id, sealed, await sealer.seal(await sealer.open(sealed)), table)) resealed++
    }
    if (page.length < PAGE) return resealed
  }
}

export interface ConvertSecretsDeps {
  rotations: Pick<SecretRotations, 'listFormer' | 'reseal'>
  sealer: Pick<Sealer, 'convert'>
  clock: Clock
  log: Pick<Log, 'info'>
}

/**
 * Creates the conversion of values that the previous release sealed. Each value is its own write, so several nodes may run
 * it, and it can be repeated after a crash. A value that does not open stays unchanged; `nc doctor` reports it.
 */
export function createConvertSecrets({ rotations, sealer, clock, log }: ConvertSecretsDeps) {
  return async function convertSecrets(): Promise<void> {
    let count = 0
    let afterId = 0
    let page: { id: number; sealed: string }[]
    do {
      page = await rotations.listFormer(afterId, PAGE, clock.now())
      for (const { id, sealed } of page) {
        afterId = id
        const converted = await sealer.convert(sealed).catch(() => undefined)
        if (converted !== undefined && (await rotations.reseal(id, sealed, converted))) count++
      }
    } while (page.length === PAGE)
    if (count > 0) log.info('secrets converted', { count })
  }
}
