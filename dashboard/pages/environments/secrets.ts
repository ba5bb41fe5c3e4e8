// <nc-secrets>: the secrets of an environment, each with the state of its rotation and the next steps.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SecretKind } from '../../../contract/tenant.ts'
import { copyable, facts, pageHead } from '../../elements/bits.ts'
import type { NcConfirm, Question } from '../../elements/confirm-dialog.ts'
import '../../elements/confirm-dialog.ts'
import type { NcShownOnce } from '../../elements/shown-once.ts'
import '../../elements/shown-once.ts'
import { failureView, loadingView } from '../../elements/states.ts'
import { Loader, type Polled } from '../../lib/loader.ts'
import { Poller } from '../../lib/poller.ts'
import { AppPage } from '../../shell/page-element.ts'
import { type RotationStep, rotationCard } from './rotation-card.ts'
import { questionOf } from './rotation-questions.ts'
import { SECRETS } from './secret-kinds.ts'

/** The last use of an old value is recorded by the minute. */
const POLL_MS = 10_000

interface LoadedSecrets {
  name: string
  /** Null: another region, whose address is not known here. */
  host: string | null
  rotations: SecretRotation[]
}

class NcSecrets extends AppPage {
  readonly #loaded = new Loader<LoadedSecrets>(this)
  readonly #confirm = createRef<NcConfirm>()
  readonly #shownOnce = createRef<NcShownOnce>()

  constructor() {
    super()
    new Poller(this, POLL_MS, () => this.#load(true))
  }

  protected override firstUpdated(): void {
    void this.#load()
  }

  async #load(quiet = false): Promise<Polled> {
    const { tenant, setTitle } = this.context
    const polled = await this.#loaded.load(
      async (signal) => {
        const [environment, { data }] = await Promise.all([
          tenant.environment(this.routeId, signal),
          tenant.secrets(this.routeId, signal),
        ])
        return { name: environment.name, host: environment.host, rotations: data }
      },
      { quiet },
    )
    const { value } = this.#loaded
    if (value !== undefined) setTitle(`Secrets of ${value.name}`)
    return polled
  }

  override render(): TemplateResult {
    const { link } = this.context
    const id = this.routeId
    const { value } = this.#loaded
    return html`<div class="page">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a class="link" href=${link('environments')}>Environments</a> / <a class="link" href=${link('environment', id, { env: id })}>${value?.name ?? id}</a>
      </nav>
      ${pageHead('Secrets', 'A new value is shown once. During an overlap the old one is accepted too, so that nothing fails.')}
      ${this.#content(value)}
      <nc-confirm ${ref(this.#confirm)}></nc-confirm>
      <nc-shown-once ${ref(this.#shownOnce)}></nc-shown-once>
    </div>`
  }

  #content(value: LoadedSecrets | undefined): TemplateResult {
    if (this.#loaded.state === 'failed') return failureView(this.#loaded.error, () => void this.#load())
    if (value === undefined) return loadingView(8)
    const mayChange = this.context.may('admin')
    return html`<div class="cards">
      ${mayChange ? nothing : html`<p class="hint">Your role may look, and not rotate.</p>`}
      ${value.host === null ? nothing : html`<section class="card" aria-label="Where these keys are valid">${facts([['Host', copyable(value.host, 'host')]])}</section>`}
      ${value.rotations.map((rotation) =>
        rotationCard(rotation, mayChange ? (step) => this.#ask(step, rotation, value.name) : undefined),
      )}
    </div>`
  }

  #ask(step: RotationStep, rotation: SecretRotation, name: string): void {
    const question: Question = questionOf(step, rotation, name, async (overlap) => {
      await this.#take(step, rotation.kind, overlap)
    })
    this.#confirm.value?.ask({ ...question, afterwards: () => this.#afterwards(rotation.kind) })
  }

  /** New or shown values, until the dialog that asked is closed. */
  #values: readonly string[] = []

  async #take(step: RotationStep, kind: SecretKind, overlap: string): Promise<void> {
    const { tenant, notify } = this.context
    const id = this.routeId
    const { name } = SECRETS[kind]
    this.#values = []
    if (step === 'rotate') this.#values = [(await tenant.rotate(id, kind, overlap)).value]
    else if (step === 'emergency') this.#values = [(await tenant.replaceAtOnce(id, kind)).value]
    else if (step === 'show') this.#values = (await tenant.showSecret(id, kind)).values
    else if (step === 'extend') await tenant.extendOverlap(id, kind, overlap)
    else await tenant.retire(id, kind)
    if (step === 'extend') notify(`The old value of the ${name} is accepted for longer.`)
    if (step === 'retire') notify(`The old value of the ${name} is retired.`)
    await this.#load(true)
  }

  /** The button that was pressed may be gone: the focus goes to the heading of the secret. */
  #afterwards(kind: SecretKind): void {
    const focus = () => {
      void this.focusOn(`#${kind}-title`)
    }
    const [current, old] = this.#values
    this.#values = []
    if (current === undefined) {
      focus()
      return
    }
    const { name, isReadable } = SECRETS[kind]
    this.#shownOnce.value?.show({
      title: name,
      text: isReadable
        ? 'Copy it now. Admins can show it again, which the audit log records.'
        : 'Copy it now: only a hash is stored, so that it cannot be shown again.',
      values: [
        [old === undefined ? 'Value' : 'New value', current],
        ...(old === undefined ? [] : [['Old value', old] as const]),
      ],
      onClosed: focus,
    })
  }
}

customElements.define('nc-secrets', NcSecrets)
