// <nc-name-and-key>: the name and the key of a new campaign. The key follows the name until it is changed itself.

import { html, type TemplateResult } from 'lit'
import { textField } from '../../elements/fields.ts'
import { LightElement } from '../../lib/light-element.ts'
import type { AppContext } from '../../shell/context.ts'
import { findFreeKey } from './create-campaign.ts'
import { keyOfName } from './propose-key.ts'

/** After the last letter that was typed. */
const PAUSE_MS = 250
const MAX_NAME_CHARS = 200

class NcNameAndKey extends LightElement {
  static override properties = {
    context: { attribute: false },
    scope: {},
    suggested: { attribute: false },
    takesFocus: { type: Boolean, attribute: 'takes-focus' },
    key: { state: true },
  }

  declare context: AppContext
  /** Prefix of the ids. */
  declare scope: string
  /** Another suggestion replaces what was typed. */
  declare suggested: { name: string; key?: string } | undefined
  /** Whether the name gets the focus. */
  declare takesFocus: boolean
  declare protected key: string
  #name = ''
  #isOwnKey = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #abort: AbortController | undefined

  constructor() {
    super()
    this.scope = 'new'
    this.key = ''
    this.takesFocus = false
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('suggested')) return
    const { name = '', key = name === '' ? '' : keyOfName(name) } = this.suggested ?? {}
    this.#name = name
    this.#isOwnKey = false
    this.key = key
    if (key !== '') this.#propose(key, 0)
  }

  protected override firstUpdated(): void {
    // A dialog around it opens first, and takes the focus itself.
    if (this.takesFocus) setTimeout(() => void this.focusOn('input'))
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stop()
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#abort?.abort()
  }

  /** Without an answer the key stays: the call that creates the campaign says whether it is taken. */
  #propose(key: string, afterMs: number): void {
    this.#stop()
    this.key = key
    const abort = new AbortController()
    this.#abort = abort
    const { signal } = abort
    this.#timer = setTimeout(() => {
      findFreeKey(this.context, key, signal).then(
        (free) => {
          if (!signal.aborted) this.key = free
        },
        () => {},
      )
    }, afterMs)
  }

  override render(): TemplateResult {
    return html`${textField(this.scope, {
      name: 'name',
      label: 'Name',
      value: this.#name,
      required: true,
      maxLength: MAX_NAME_CHARS,
      onInput: (name) => {
        this.#name = name
        if (!this.#isOwnKey) this.#propose(keyOfName(name), PAUSE_MS)
      },
    })}
    ${textField(this.scope, {
      name: 'key',
      label: 'Key',
      value: this.key,
      required: true,
      isMono: true,
      hint: 'For the API and exports. It stays as it is, also when the name changes.',
      onInput: (key) => {
        this.#stop()
        this.#isOwnKey = key !== ''
        this.key = key
      },
    })}`
  }
}

customElements.define('nc-name-and-key', NcNameAndKey)
