// Styles of the list: its states, and the outlines that stand for rows.

import { css } from 'lit'

export const listStyles = css`
.scroller { position: relative; display: flex; flex-direction: column; overflow-anchor: none }
.above { position: sticky; inset-block-start: 10px; z-index: 2; display: grid; justify-content: center; align-items: start; flex: none; height: 0 }
.above .button { border-radius: 99px; box-shadow: 0 6px 20px #0003 }
.rows { position: relative }
.windowed > nc-row { background: var(--_surface) }
.rows > [pinned] { position: absolute; inset-inline: 0 }
.state { margin: auto; padding: 36px 36px 56px; display: flex; flex-direction: column; align-items: center; text-align: center; text-wrap: balance; gap: 4px }
.state-title { margin: 14px 0 0; font-size: 1.214em; font-weight: 650; letter-spacing: -.01em }
.state-hint { margin: 0; color: var(--_muted); font-size: .964em; max-width: 30ch }
.state .button { margin-block-start: 16px }
.reference { margin: 12px 0 0; color: var(--_muted); font-size: .857em; overflow-wrap: anywhere }
.resting { width: 132px; height: 106px }
.more { margin: 0; padding: 14px; text-align: center; color: var(--_muted); font-size: .929em }
.bone-row { pointer-events: none }
.bone-row:first-child { margin-block-start: calc(18px + 1.214em) }
.panel .bone { display: block; height: .8em; border-radius: 6px; background: color-mix(in srgb, var(--_text) 8%, #0000); margin-block-start: .75em }
.panel .avatar.bone { height: 2.571em; margin: 0 }
.panel .bone-title { width: 62%; height: .929em; margin-block-start: 3px }
.bone-short { width: 40% }
/* Behind the rows, held in view: they are seen when the browser scrolls ahead of the page. */
.list.long::before {
  --_bone: color-mix(in srgb, var(--_text) 8%, transparent);
  content: ""; display: block; position: sticky; top: 0; height: 100dvh; margin-block-end: -100dvh;
  background:
    linear-gradient(var(--_bone) 36px, transparent 0) 22px 14px / 36px 104px repeat-y,
    linear-gradient(var(--_bone) 13px, transparent 0) 70px 17px / 55% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 40px / 70% 104px repeat-y,
    linear-gradient(var(--_bone) 11px, transparent 0) 70px 60px / 40% 104px repeat-y;
}
.list.long:dir(rtl)::before { transform: scaleX(-1) }
@media (prefers-reduced-motion: no-preference) {
  .bone { animation: breathe 1.4s ease-in-out infinite alternate }
}
@media (forced-colors: active) {
  .bone { background: CanvasText !important; opacity: .2; forced-color-adjust: none }
}
@keyframes breathe { to { opacity: .45 } }
`
