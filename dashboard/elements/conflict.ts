// Shows that others have saved meanwhile: who and when, with the choice between their state and the own one.

import { html, type TemplateResult } from 'lit'
import { callerName } from '../../contract/caller-name.ts'
import { ApiFailure } from '../api/client.ts'
import { time } from './bits.ts'

/** A change that another one came before. */
export interface Conflict {
  /** Null where the audit log does not know. */
  changedBy: string | null
  changedAt: string
}

/** @returns Undefined for another failure. */
export function findConflict(error: unknown): Conflict | undefined {
  if (!(error instanceof ApiFailure) || error.status !== 409) return undefined
  const { changedAt, changedBy = null } = error.body
  return changedAt === undefined ? undefined : { changedBy, changedAt }
}

/** @returns Such as "ada@shop.example has changed it", for people. */
export const whoChanged = ({ changedBy }: Conflict): string => `${callerName(changedBy)} has changed it`

/** @param onLoad Drops the own changes. @param onSave Drops those of the others. */
export function conflictView(conflict: Conflict, onLoad: () => void, onSave: () => void): TemplateResult {
  return html`<section class="conflict" role="alert">
    <p><strong>${whoChanged(conflict)}</strong>, ${time(conflict.changedAt)}, after you have opened it. Nothing of yours is saved yet, and all of it is still here.</p>
    <div class="card-foot">
      <wa-button size="s" appearance="outlined" @click=${onLoad}>Load the newer one</wa-button>
      <wa-button size="s" variant="danger" appearance="outlined" @click=${onSave}>Save over it</wa-button>
    </div>
    <p class="hint">The newer one replaces what you have typed. Saving over it removes what was saved meanwhile; the audit log has it.</p>
  </section>`
}
