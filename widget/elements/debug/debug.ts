// <nc-debug>: explains the element in a foldable panel at the foot of the page, in English, as it speaks to developers.

import { html, type PropertyValues, type TemplateResult } from 'lit'
import type { PanelHost } from '../panel/panel-types.ts'
import type { Debug } from '../parts.ts'
import { Piece } from '../piece.ts'
import { maskKey, scrub } from './credentials.ts'
import { debugStyles } from './debug.styles.ts'
import type { Finding } from './explain.ts'
import { Inspection, type InspectionHost } from './inspection.ts'
import { clock, describe, headline, type Report, type Section, toText } from './report.ts'
import { Trace } from './trace.ts'
import { createWatch } from './watch.ts'

export class NcDebug extends Piece implements InspectionHost {
  static override readonly styles = debugStyles
  static override readonly properties = {
    isFolded: { state: true },
    isCopied: { state: true },
    byHand: { state: true },
  }

  declare isFolded: boolean
  declare isCopied: boolean
  /** The report as text to be copied by hand, where the clipboard is refused. */
  declare byHand: string | undefined
  /** How many panels of other elements stand below. */
  place = 0
  readonly #host: PanelHost
  readonly #inspection: Inspection

  constructor(host: PanelHost, trace: Trace) {
    super()
    this.isFolded = this.isCopied = false
    this.byHand = undefined
    this.#host = host
    this.#inspection = new Inspection(this, host, trace)
  }

  get isRead(): boolean {
    return !this.isFolded && document.visibilityState === 'visible'
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.className = ['debug', 'debug second', 'debug third'][Math.min(this.place, 2)] ?? ''
    this.role = 'region'
    this.ariaLabel = 'Debug of the notification center'
    this.popover = 'manual'
    this.showPopover?.()
  }

  /** Bursts of events are rendered once: with the next frame, or after a moment on a hidden page. */
  protected override async scheduleUpdate(): Promise<void> {
    await new Promise((resolve) =>
      document.visibilityState === 'visible' ? requestAnimationFrame(resolve) : setTimeout(resolve, 50),
    )
    super.scheduleUpdate()
  }

  protected override render(): TemplateResult {
    const report = this.#inspection.report
    const weights = report.findings.map(({ weight }) => weight)
    const light = weights.includes('error') ? 'error' : (weights[0] ?? '')
    return html`<details open lang="en" dir="ltr" @toggle=${this.#onToggle}>
      <summary>
        <span class="debug-light ${light}" aria-hidden="true"></span>
        <span>notification-center: ${headline(report)}</span>
      </summary>
      <div class="debug-scroll" tabindex="0" role="group" aria-label="Report">${this.#details(report)}</div>
    </details>`
  }

  protected override updated(changed: PropertyValues): void {
    const field = this.querySelector('textarea')
    if (!changed.has('byHand') || field === null) return
    field.focus()
    field.select()
  }

  #details(report: Report): TemplateResult {
    const { findings, lines } = report
    const status = this.byHand !== undefined ? 'Copy it from the field.' : this.isCopied ? 'Copied.' : ''
    return html`<div class="debug-bar">
        <button type="button" class="debug-copy" @click=${this.#copy}>Copy as text</button>
        <span class="debug-status" role="status">${status}</span>
      </div>
      <textarea
        readonly
        ?hidden=${this.byHand === undefined}
        aria-label="The report as text"
        .value=${this.byHand ?? ''}
      ></textarea>
      <ul aria-label="What to look at" ?hidden=${findings.length === 0}>
        ${findings.map(findingItem)}
      </ul>
      ${describe(report).map(section)}
      <h3>The last events, newest first</h3>
      <ol aria-label="Events">
        ${lines.map(({ at, text }) => html`<li>${clock(at)} ${text}</li>`).reverse()}
      </ol>`
  }

  readonly #onToggle = ({ currentTarget }: Event): void => {
    this.isFolded = !(currentTarget as HTMLDetailsElement).open
  }

  readonly #copy = async (): Promise<void> => {
    const { token, apiKey, userId } = this.#host.element
    const secrets = [token, apiKey, userId?.includes('@') === true ? userId : null]
    const text = scrub(toText(this.#inspection.report), secrets)
    try {
      await navigator.clipboard.writeText(text)
      this.isCopied = true
      this.byHand = undefined
    } catch {
      // No secure context, or no permission.
      this.byHand = text
    }
  }
}

function findingItem({ weight, what, todo }: Finding): TemplateResult {
  return html`<li class="debug-finding ${weight}"><p>${what}</p><p>${todo}</p></li>`
}

function section({ title, rows }: Section): TemplateResult {
  return html`<h3>${title}</h3>
    <dl>${rows.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

NcDebug.register('nc-debug')

/** @returns what keeps `<nc-debug>` in the page for as long as the element asks for it */
export function createDebug(host: PanelHost): Debug {
  const center = host.element
  const trace = new Trace()
  const watch = createWatch(trace)
  let view: NcDebug | undefined
  const update = (): void => {
    if (!center.debug || !center.isConnected) {
      view?.remove()
      view = undefined
    } else if (view === undefined) {
      const others = [...document.querySelectorAll('notification-center[debug]')]
      view = new NcDebug(host, trace)
      view.place = Math.max(0, others.indexOf(center))
      host.root.append(view)
      console.info(`notification-center: debug is on for api-key ${maskKey(center.apiKey)}; see the foot of the page.`)
    } else view.requestUpdate()
  }
  update()
  return {
    watch: () => {
      trace.begin()
      return watch
    },
    update,
  }
}
