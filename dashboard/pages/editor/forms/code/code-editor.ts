// <nc-code-editor>: CodeMirror in a shadow root, where its styles are adopted sheets: the policy allows no other.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { minimalSetup } from 'codemirror'
import { css, html, type PropertyValues, type TemplateResult } from 'lit'
import { changeBetween, withPlainLines } from '../text-change.ts'
import { CodeElement } from './code-element.ts'
import { completePaths } from './complete-paths.ts'
import { languageOf } from './languages.ts'

/** Longer ones are whole documents, whose lines have numbers and are not wrapped. */
const SHORT_ROWS = 12

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName], color: 'var(--accent)' },
  { tag: [tags.string, tags.link], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.brace], color: 'var(--warn)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.comment, color: 'var(--muted)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', maxHeight: 'var(--most-height, 420px)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.92em', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: 'calc(var(--rows) * 1.6em + 8px)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'transparent', border: '0' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-wash)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-wash)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-small)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxWidth: 'min(420px, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', background: 'var(--accent-wash)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', borderLeftColor: 'var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px' },
  '.cm-lint-marker-error': {
    content: 'none',
    width: '8px',
    height: '8px',
    marginTop: '7px',
    borderRadius: '50%',
    background: 'var(--bad)',
  },
})

export class NcCodeEditor extends CodeElement {
  static formAssociated = true
  static override shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true }
  static override styles = css`
    :host { display: block }
  `
  #view: EditorView | undefined
  readonly #attributes = new Compartment()
  readonly #spoken = new Compartment()
  /** Whether the change comes from the property. */
  #isSetting = false

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#view?.destroy()
    this.#view = undefined
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (this.hasUpdated) this.requestUpdate()
  }

  /** Focuses the editor, with a range of its text selected. */
  select(from: number, to = from): void {
    const view = this.#view
    if (view === undefined) {
      void this.updateComplete.then(() => this.#view !== undefined && this.select(from, to))
      return
    }
    const end = view.state.doc.length
    view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true })
    view.focus()
  }

  override focus(): void {
    this.#view?.focus()
  }

  protected override updated(changed: PropertyValues): void {
    const isNew = this.#view === undefined
    const view = this.#view ?? this.#create()
    if (isNew || changed.has('rows')) this.style.setProperty('--rows', String(this.rows))
    if (changed.has('text')) {
      const change = changeBetween(view.state.doc.toString(), withPlainLines(this.text))
      this.#isSetting = true
      if (change !== undefined) view.dispatch({ changes: change })
      this.#isSetting = false
    }
    if (changed.has('label') || changed.has('isInvalid') || changed.has('mayChange') || changed.has('marks')) {
      view.dispatch({
        effects: [this.#attributes.reconfigure(this.#access()), this.#spoken.reconfigure(this.#names())],
      })
    }
    if (isNew || changed.has('marks')) view.dispatch(setDiagnostics(view.state, this.#diagnostics(view)))
  }

  #create(): EditorView {
    const root = this.shadowRoot as ShadowRoot
    const isDocument = this.rows > SHORT_ROWS
    const view = new EditorView({
      root,
      parent: root.querySelector('.place') as Element,
      state: EditorState.create({
        doc: this.text,
        extensions: [
          minimalSetup,
          languageOf(this.language),
          syntaxHighlighting(colours),
          bracketMatching(),
          look,
          isDocument ? [lineNumbers(), lintGutter()] : EditorView.lineWrapping,
          this.language === 'json'
            ? []
            : autocompletion({ override: [completePaths(this.language, () => this.known)], icons: false }),
          keymap.of(completionKeymap),
          this.#attributes.of(this.#access()),
          this.#spoken.of(this.#names()),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged && !this.#isSetting) this.onText(state.doc.toString())
          }),
        ],
      }),
    })
    this.#view = view
    return view
  }

  #access() {
    return [EditorState.readOnly.of(!this.mayChange), EditorView.editable.of(this.mayChange)]
  }

  /** A fault is said as the description: ids of the page cannot be named from a shadow root. */
  #names() {
    const message = this.marks.map((mark) => mark.message).join(' ')
    return EditorView.contentAttributes.of({
      'aria-label': this.label,
      // Also of an editor that may not be changed: its text scrolls by keys.
      tabindex: '0',
      ...(this.isInvalid && { 'aria-invalid': 'true' }),
      ...(message !== '' && { 'aria-description': message }),
      ...(!this.mayChange && { 'aria-readonly': 'true' }),
    })
  }

  #diagnostics(view: EditorView): Diagnostic[] {
    const end = view.state.doc.length
    return this.marks.map(({ from, to = from + 1, message }) => ({
      from: Math.min(from, end),
      to: Math.min(Math.max(to, from), end),
      severity: 'error',
      message,
    }))
  }

  override render(): TemplateResult {
    return html`<div class="place"></div>`
  }
}

customElements.define('nc-code-editor', NcCodeEditor)
