// <nc-source-secret>: the state of the secret of a source, and the steps of its rotation.

import { html, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { SourceAnswer } from '../../../contract/resources/source.ts'
import type { SourceSecretRotation } from '../../../contract/resources/source-secret.ts'
import type { NcConfirm } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { LightElement } from '../../lib/light-element.ts'
import type { AppContext } from '../../shell/context.ts'
import { type RotationStep, rotationCard } from '../environments/rotation-card.ts'
import { type DictatedBy, questionOf } from '../environments/rotation-questions.ts'
import { SECRETS } from '../environments/secret-kinds.ts'
import { PLATFORMS } from './platforms.ts'
import { givenSecretOf, isDictated, secretField } from './secret-field.ts'

const KIND = 'verificationSecret'
const { name: SECRET_NAME } = SECRETS[KIND]

class NcSourceSecret extends LightElement {
  static override properties = { context: { attribute: false }, source: { attribute: false } }

  declare context: AppContext
  declare source: SourceAnswer

  readonly #confirm = createRef<NcConfirm>()
  readonly #once = createRef<NcShownOnce>()
  /** New or shown values, until the dialog that asked is closed. */
  #values: readonly string[] = []

  override render(): TemplateResult {
    const onStep = this.context.may('admin') ? (step: RotationStep) => this.#ask(step) : undefined
    return html`${rotationCard(rotationOf(this.source), onStep)}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-shown-once ${ref(this.#once)}></nc-shown-once>`
  }

  #ask(step: RotationStep): void {
    const { name } = this.source
    const take = (overlap: string, form: FormData) => this.#take(step, overlap, form)
    const question = questionOf(step, rotationOf(this.source), name, take, this.#dictatedBy())
    this.#confirm.value?.ask({ ...question, afterwards: () => this.#afterwards() })
  }

  #dictatedBy(): DictatedBy | undefined {
    const words = PLATFORMS[this.source.provider]
    if (!isDictated(words)) return undefined
    return { platform: words.title, field: secretField('rotation', words, { required: true }) }
  }

  async #take(step: RotationStep, overlap: string, form: FormData): Promise<void> {
    const { sources, notify } = this.context
    const { id } = this.source
    const given = givenSecretOf(form)
    const isGiven = given.verificationSecret !== undefined
    this.#values = []
    if (step === 'show') this.#values = (await sources.showSecret(id)).values
    else if (step === 'extend') await sources.extendOverlap(id, overlap)
    else if (step === 'retire') await sources.retire(id)
    else {
      const { verificationSecret } = await (step === 'rotate'
        ? sources.rotate(id, overlap, given)
        : sources.replaceAtOnce(id, given))
      if (!isGiven) this.#values = [verificationSecret]
    }
    if (step === 'extend') notify('The old value of the secret is accepted for longer.')
    if (step === 'retire') notify('The old value of the secret is retired.')
    if (isGiven) notify('The secret is saved. Deliveries are verified with it at once.')
    this.dispatchEvent(new Event('source-changed', { bubbles: true }))
  }

  /** The button that was pressed may be gone: the focus goes to the heading of the secret. */
  #afterwards(): void {
    const focus = () => {
      void this.focusOn(`#${KIND}-title`)
    }
    const [current, old] = this.#values
    this.#values = []
    if (current === undefined) {
      focus()
      return
    }
    this.#once.value?.show({
      title: SECRET_NAME,
      text: 'Copy it now. Admins can show it again, which the audit log records.',
      values: [
        [old === undefined ? 'Value' : 'New value', current],
        ...(old === undefined ? [] : [['Old value', old] as const]),
      ],
      onClosed: focus,
    })
  }
}

/** @returns The state of the secret in the form of an environment's secrets; without ids, which nothing shows. */
function rotationOf({ secret }: SourceAnswer): SourceSecretRotation {
  const { state, createdAt, retiresAt, lastUsedAt, oldLastUsedAt } = secret
  const old = { id: '', createdAt, lastUsedAt: oldLastUsedAt, retiresAt }
  return {
    kind: KIND,
    state,
    until: retiresAt,
    current: { id: '', createdAt, lastUsedAt, retiresAt: null },
    previous: state === 'overlap' ? old : null,
  }
}

customElements.define('nc-source-secret', NcSourceSecret)
