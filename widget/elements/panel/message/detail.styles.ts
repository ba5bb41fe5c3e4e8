// Styles of the detail: one message in full, over the list.

import { css } from 'lit'

export const detailStyles = css`
.detail { position: absolute; inset: 0; display: flex; flex-direction: column; background: var(--_surface); border-block-start: 1px solid var(--_line) }
.detail-scroll { padding: 20px 22px 24px }
.detail-head { display: flex; gap: 14px; align-items: flex-start }
/* One edge for a message in another direction than its page. */
.detail-scroll:dir(rtl) { text-align: right }
.detail-title { margin: 0 0 3px; font-size: 1.286em; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; overflow-wrap: anywhere; text-wrap: pretty }
.detail .time { white-space: normal }
.picture { display: block; margin-block-start: 16px; aspect-ratio: 16 / 9; border-radius: 12px; overflow: hidden; background: var(--_raised) }
.picture img { width: 100%; height: 100%; object-fit: cover }
.prose { margin-block-start: 16px; font-size: 1.036em; line-height: 1.6; overflow-wrap: anywhere }
.prose > * { margin: 0 0 .75em }
.prose .plain { white-space: pre-line }
.detail .actions { margin-block-start: 18px }
.detail .actions .button { flex: 1 1 auto; justify-content: center }
.detail .priority { margin-inline-end: 6px }
.toolbar { display: flex; flex: none; flex-wrap: wrap; padding: 6px 0; border-block-start: 1px solid var(--_line) }
.tool { all: unset; display: flex; flex: 1 1 6em; flex-direction: column; align-items: center; gap: 3px; padding: 6px 2px; text-align: center; border-radius: 10px; color: var(--_muted); font-size: .821em; font-weight: 500; cursor: pointer; transition: background-color .12s, color .12s }
@media (max-width: 340px), (max-height: 400px) {
  .toolbar { flex-wrap: nowrap; padding: 2px 0 }
  .tool span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
}
.tool:hover, .tool.pressed { background: var(--_raised); color: var(--_text) }
.tool.danger:hover { color: light-dark(#c4203a, #ff8590) }
@media (prefers-reduced-motion: no-preference) {
  .detail { animation: slide .18s cubic-bezier(.2, .8, .3, 1) }
}
`
