// <nc-mail-view>: a composed mail as its recipient sees it: wide and narrow, light and dark, and as text.

import { html, nothing, type TemplateResult } from 'lit'
import { createRef, ref } from 'lit/directives/ref.js'
import type { ComposedMail, SentMailAnswer } from '../../contract/resources/mail.ts'
import { LightElement } from '../lib/light-element.ts'
import { setStyle } from '../lib/set-style.ts'
import { facts } from './bits.ts'
import { FRAME_PATH, type FrameNotes, type Scheme, showMail } from './mail-frame.ts'
import { segments } from './segments.ts'

type Address = ComposedMail['from']
type Shape = 'wide' | 'narrow' | 'text'

const WIDTHS = { wide: 640, narrow: 360 } as const
const SHAPES = [
  ['wide', 'Wide'],
  ['narrow', 'Narrow'],
  ['text', 'Text'],
] as const
/** As wide as most mails are, and as a phone. */
const COMPACT_WIDTHS = { wide: 600, narrow: 360 } as const
const COMPACT_SHAPES = [
  ['wide', '600 px'],
  ['narrow', '360 px'],
  ['text', 'Text'],
] as const
/** Gmail shows the first 102 KB, and the tracking of providers counts as well. */
const LARGE_BYTES = 90 * 1024
const SCHEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
/** Below it, a wide mail is too small to read at first. */
const READABLE_WIDTH = 460

class NcMailView extends LightElement {
  static override properties = {
    mail: { attribute: false },
    isCompact: { attribute: false },
    shape: { state: true },
    scheme: { state: true },
    room: { state: true },
    notes: { state: true },
  }

  declare mail: ComposedMail & Partial<Pick<SentMailAnswer, 'to'>>
  /** Beside an editor: without the facts of the mail but its size, and in two exact widths. */
  declare isCompact: boolean
  declare protected shape: Shape | undefined
  declare protected scheme: Scheme
  /** The width and height of the stage in pixels. */
  declare protected room: { width: number; height: number }
  declare protected notes: FrameNotes | undefined

  readonly #frame = createRef<HTMLIFrameElement>()
  readonly #stage = createRef<HTMLElement>()
  readonly #sizes = new ResizeObserver(([entry]) => {
    if (entry !== undefined) this.#measure(entry.contentRect)
  })
  #shown: string | undefined

  constructor() {
    super()
    this.isCompact = false
    this.scheme = isPageDark() ? 'dark' : 'light'
    this.room = { width: WIDTHS.narrow, height: 0 }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#sizes.disconnect()
  }

  protected override firstUpdated(): void {
    const stage = this.#stage.value
    if (stage !== undefined) this.#sizes.observe(stage)
  }

  protected override updated(): void {
    this.#write()
  }

  #measure({ width, height }: DOMRectReadOnly): void {
    this.room = { width, height }
    this.shape ??= width < READABLE_WIDTH ? 'narrow' : 'wide'
  }

  #write(isNewFrame = false): void {
    const frame = this.#frame.value
    const { html: content, subject } = this.mail
    const wanted = `${this.scheme} ${content}`
    if (frame === undefined || (wanted === this.#shown && !isNewFrame)) return
    const page = frame.contentDocument
    // Before it is loaded it is another, empty document, or one whose body is not there yet.
    if (page?.URL !== frame.src || page.readyState === 'loading') return
    this.#shown = wanted
    this.notes = showMail(frame, content, this.scheme, `Content of “${subject}”`)
  }

  override render(): TemplateResult {
    const { subject, text, warnings } = this.mail
    const shape = this.shape ?? 'wide'
    return html`${this.isCompact ? nothing : this.#facts()}
    ${warnings.length === 0 ? nothing : html`<ul class="mail-warnings" role="status">${warnings.map((one) => html`<li>${warningText(one)}</li>`)}</ul>`}
    <div class="mail-tools">
      ${segments('Form', this.isCompact ? COMPACT_SHAPES : SHAPES, shape, (chosen) => {
        this.shape = chosen
      })}
      ${
        shape === 'text'
          ? nothing
          : segments('Colours', SCHEMES, this.scheme, (chosen) => {
              this.scheme = chosen
            })
      }
      ${this.isCompact ? this.#size() : nothing}
    </div>
    <div class="mail-stage" data-shape=${shape} ${ref(this.#stage)}>
      ${shape === 'text' ? html`<pre class="mail-text" tabindex="0" role="region" aria-label="Text of the mail">${text}</pre>` : nothing}
      ${this.#framed(shape, subject)}
    </div>
    <div role="status">${shape === 'text' ? nothing : this.#hints()}</div>`
  }

  #facts(): TemplateResult {
    const { subject, preheader, from, to, htmlBytes } = this.mail
    return facts([
      ['From', addressText(from)],
      ['To', to == null ? null : addressText(to)],
      ['Subject', html`<strong>${subject}</strong>`],
      ['Preheader', preheader === null || preheader === '' ? null : preheader],
      ['Size', `${inKilobytes(htmlBytes)} of HTML`],
    ])
  }

  #size(): TemplateResult {
    const { htmlBytes } = this.mail
    return html`<span class="badge" data-tone=${htmlBytes < LARGE_BYTES ? 'good' : 'warn'}>${inKilobytes(htmlBytes)}</span>`
  }

  /** The frame stays while the text is shown: a new one would be loaded again. */
  #framed(shape: Shape, subject: string): TemplateResult {
    const room = shape === 'narrow' ? this.room.width : Math.max(this.room.width, 1)
    const width = this.isCompact
      ? COMPACT_WIDTHS[shape === 'narrow' ? 'narrow' : 'wide']
      : shape === 'narrow'
        ? WIDTHS.narrow
        : Math.max(WIDTHS.wide, room)
    const scale = Math.min(1, room / width)
    const box = { width: `${width * scale}px` }
    const size = { width: `${width}px`, height: `${this.room.height / scale}px`, scale: String(scale) }
    return html`<div class="mail-box" ?hidden=${shape === 'text'} ${setStyle(box)}>
      <iframe src=${FRAME_PATH} title=${`Mail: ${subject}`} ${ref(this.#frame)} ${setStyle(size)} @load=${() => this.#write(true)}></iframe>
    </div>`
  }

  #hints(): TemplateResult | typeof nothing {
    if (this.notes === undefined) return nothing
    const { missingPictures: missing, asksForStyles, hasDarkStyles } = this.notes
    return html`${missing === 0 ? nothing : html`<p class="hint">${missing === 1 ? 'One picture is' : `${missing} pictures are`} not loaded here: the dashboard loads pictures by HTTPS alone.</p>`}
    ${asksForStyles ? html`<p class="hint">Styles and fonts from elsewhere are not loaded here. Many mail programs leave them out as well.</p>` : nothing}
    ${this.scheme === 'dark' && !hasDarkStyles ? html`<p class="hint">This mail has no styles for dark mail programs. Some of them change its colours by themselves.</p>` : nothing}`
  }
}

const inKilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`

const SOURCES: Record<string, string> = { html: 'HTML', layout: 'Layout' }

function warningText({ path, line, message }: ComposedMail['warnings'][number]): string {
  return line === null ? message : `${SOURCES[path] ?? path}, line ${line}: ${message}`
}

function addressText({ name, address }: Address): string {
  return name === null ? address : `${name} <${address}>`
}

function isPageDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

customElements.define('nc-mail-view', NcMailView)
