// Takes steps to and from the clipboard while nothing else of the page wants it.

import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { NcFlowEditor } from './flow-editor.ts'

/** Texts and fields keep their own clipboard. */
const OWN_CLIPBOARD = 'input, textarea, select, [contenteditable], nc-code-editor'

export class StepClipboard implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement
  readonly #flow: () => NcFlowEditor | undefined

  constructor(host: ReactiveControllerHost & HTMLElement, flow: () => NcFlowEditor | undefined) {
    this.#host = host
    this.#flow = flow
    host.addController(this)
  }

  hostConnected(): void {
    document.addEventListener('copy', this.#copy)
    document.addEventListener('cut', this.#copy)
    document.addEventListener('paste', this.#paste)
  }

  hostDisconnected(): void {
    document.removeEventListener('copy', this.#copy)
    document.removeEventListener('cut', this.#copy)
    document.removeEventListener('paste', this.#paste)
  }

  #isForSteps({ target }: ClipboardEvent): boolean {
    if (!(target instanceof HTMLElement)) return false
    if (!this.#host.contains(target) && target !== document.body) return false
    return target.closest(OWN_CLIPBOARD) === null
  }

  readonly #copy = (event: ClipboardEvent): void => {
    if (!this.#isForSteps(event) || event.clipboardData === null || !getSelection()?.isCollapsed) return
    if (this.#flow()?.copy(event.clipboardData, event.type === 'cut')) event.preventDefault()
  }

  readonly #paste = (event: ClipboardEvent): void => {
    if (!this.#isForSteps(event)) return
    if (this.#flow()?.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault()
  }
}
