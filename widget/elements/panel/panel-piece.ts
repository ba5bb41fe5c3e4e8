// Base class of the panel's elements: they can render at once, as the next key may come before the next frame.

import { Piece } from '../piece.ts'

export abstract class PanelPiece extends Piece {
  /** Renders now what is pending. */
  flush(): void {
    if (this.isUpdatePending) this.performUpdate()
  }
  /** Renders anew, now. */
  renderNow(): void {
    this.requestUpdate()
    this.flush()
  }
}
