// Base class of the panel's elements: they can render at once, as the next key may come before the next frame.

import { Piece } from '../piece.ts'
import type { PanelActions } from './panel-actions.ts'

export abstract class PanelPiece extends Piece {
  declare actions?: PanelActions

  /** Renders now what is pending. */
  flush(): void {
    if (this.isUpdatePending) this.performUpdate()
  }
  /** Renders anew, now. */
  renderNow(): void {
    this.requestUpdate()
    this.flush()
  }

  /** In a closed panel each renders in idle time of its own: all together would hold up the page. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.actions?.isPanelShown === false) await this.actions.idleOrShown()
    super.scheduleUpdate()
  }
}
