// <nc-keys>: lists the keys of the panel.

import { html, type TemplateResult } from 'lit'
import { Sheet } from './sheet.ts'

const KEYS: [keys: string[], text: string][] = [
  [['j', 'k', '↓', '↑'], 'key_move'],
  [['Home', 'End'], 'key_ends'],
  [['Enter'], 'openLink'],
  [['e'], 'archive'],
  [['h'], 'snooze'],
  [['u'], 'markUnread'],
  [['x'], 'select'],
  [['z'], 'undo'],
  [['Esc'], 'key_back'],
  [['?'], 'shortcuts'],
]

export class NcKeys extends Sheet {
  protected override readonly name = 'shortcuts'
  protected override readonly look = 'keys'

  protected override content(): TemplateResult {
    return html`<dl>
      ${KEYS.map(
        ([keys, text]) =>
          html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${this.t(text)}</dd></div>`,
      )}
    </dl>`
  }
}
