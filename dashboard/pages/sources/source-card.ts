// Base class of the cards that change a source: they report what the server has stored.

import type { SourceAnswer, SourceChange } from '../../../contract/resources/source.ts'
import { FormCard } from '../../elements/form-card.ts'
import type { AppContext } from '../../shell/context.ts'

/** The source as the server has stored it. */
export class SourceSaved extends Event {
  readonly source: SourceAnswer

  constructor(source: SourceAnswer) {
    super('source-saved', { bubbles: true })
    this.source = source
  }
}

export abstract class SourceCard extends FormCard {
  static override properties = { context: { attribute: false }, source: { attribute: false } }

  declare context: AppContext
  declare source: SourceAnswer

  protected get mayChange(): boolean {
    return this.context.may('admin')
  }

  /** Changes some settings; the others stay as the server has them. */
  protected async saveSettings(change: SourceChange, notice: string): Promise<void> {
    const saved = await this.context.sources.put(this.source.id, change)
    this.context.notify(notice)
    this.dispatchEvent(new SourceSaved(saved))
  }
}
