// Rows and the detail of a message.

import { createSheet } from '../../../lib/sheet.ts'

export const messageStyles = createSheet(`
.row {
  display: flex; gap: 12px; position: relative; padding-block: 14px; padding-inline: 22px 18px; cursor: pointer;
  border-block-end: 1px solid color-mix(in srgb, var(--_line) 70%, #0000);
  transition: background-color .12s;
}
:is(.row, .detail-head):dir(rtl) { text-align: right }
.row:dir(rtl) :is(.title, .excerpt) { padding-right: 12px; margin-right: -12px }
article.row:hover, article.row:focus-within { background: var(--_raised) }
:is(button, a):active { opacity: .7 }
article.row:active { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)); outline: 1px solid #0000; outline-offset: -1px }
:last-child > article.row, .bone-row:last-child { border-color: #0000 }
.dot { position: absolute; inset-inline-start: 8px; inset-block-start: 28px; width: 8px; height: 8px; border-radius: 50%; background: var(--nc-dot, var(--_accent)) }
.avatar { flex: none; width: 36px; height: 36px; display: grid; place-items: center; border-radius: 11px; overflow: hidden; background: color-mix(in srgb, var(--_tone) 13%, #0000); color: var(--_tone) }
.avatar.plain { --_tone: var(--_muted) }
.avatar.info { --_tone: light-dark(#2563d8, #7fb0ff) }
.avatar.success { --_tone: light-dark(#13804a, #5fd39a) }
.avatar.warning { --_tone: light-dark(#9a6200, #ffc45c) }
.avatar.error { --_tone: light-dark(#cc2b3d, #ff8590) }
.avatar img { width: 100%; height: 100%; object-fit: cover }
.avatar.large { width: 56px; height: 56px; border-radius: 18px }
.avatar.large .icon { width: 28px; height: 28px }
.day { margin: 0; padding: 14px 22px 4px; color: var(--_muted); font-size: .857em; font-weight: 600 }
.day::first-letter { text-transform: uppercase }
.choose { flex: none; width: 24px; height: 24px; margin: 6px 0 0; margin-inline-end: -4px; accent-color: var(--_accent); cursor: pointer }
.words { flex: 1; min-width: 0 }
.line { display: flex; align-items: baseline; gap: 10px }
.title {
  all: unset; flex: 1; min-width: 0; cursor: pointer; font-size: 1em; font-weight: 500; line-height: 1.4; color: var(--_text); text-wrap: pretty;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere;
}
.unopened .title { font-weight: 650 }
.time { flex: none; color: var(--_muted); font-size: .857em; font-variant-numeric: tabular-nums; white-space: nowrap }
.excerpt {
  margin: 2px 0 0; color: var(--_muted); font-size: .929em; line-height: 1.45; overflow-wrap: anywhere;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
}
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 10px }
.button {
  all: unset; display: inline-flex; align-items: center; gap: 6px; min-height: 30px; max-width: 100%; padding: 4px 12px;
  border-radius: 9px; border: 1px solid var(--_line); background: var(--_surface); color: var(--_text);
  font-size: .929em; font-weight: 550; line-height: 1.3; cursor: pointer; overflow-wrap: anywhere; transition: background-color .12s;
}
.button:hover { background: var(--_raised) }
article.row:hover .button.default:hover { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)) }
.button.primary { background: var(--_accent); border-color: #0000; color: var(--_on-accent) }
.button.primary:hover { background: var(--_accent); filter: brightness(1.08) }
.button.danger { color: light-dark(#c4203a, #ff8590); border-color: color-mix(in srgb, currentColor 35%, #0000) }
.button .icon { width: 16px; height: 16px }
.quick { position: absolute; inset-inline-end: 10px; inset-block-start: 9px; display: flex; justify-content: flex-end; min-width: 78px; border-radius: 9px; background: var(--_raised); opacity: 0; pointer-events: none; transition: opacity .12s }
.quick .icon-button { width: 26px; height: 26px; border-radius: 8px }
.quick .icon-button:hover { background: color-mix(in srgb, var(--_text) 8%, var(--_raised)) }
.quick .icon { width: 18px; height: 18px }
@media (hover: hover) {
  .row .time { min-width: 60px; text-align: end }
  .row:hover .quick { opacity: 1; pointer-events: auto }
  .row:hover:has(.quick) .time { opacity: 0 }
}
.row:focus-visible .quick, .quick:focus-within { opacity: 1; pointer-events: auto }
.row:focus-visible:has(.quick) .time { min-width: 60px; opacity: 0 }
.detail { position: absolute; inset: 0; display: flex; flex-direction: column; background: var(--_surface); border-block-start: 1px solid var(--_line) }
.detail-scroll { padding: 20px 22px 24px }
.detail-head { display: flex; gap: 14px; align-items: flex-start }
.detail-title { margin: 0 0 3px; font-size: 1.286em; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; overflow-wrap: anywhere; text-wrap: pretty }
.detail .time { white-space: normal }
.picture { display: block; margin-block-start: 16px; aspect-ratio: 16 / 9; border-radius: 12px; overflow: hidden; background: var(--_raised) }
.picture img { width: 100%; height: 100%; object-fit: cover }
.prose { margin-block-start: 16px; font-size: 1.036em; line-height: 1.6; overflow-wrap: anywhere }
.prose > * { margin: 0 0 .75em }
.prose .plain { white-space: pre-line }
.detail .actions { margin-block-start: 18px }
:is(.detail, .state) .button { min-height: 36px; padding: 6px 16px }
.toolbar { display: flex; flex: none; flex-wrap: wrap; padding: 6px 0; border-block-start: 1px solid var(--_line) }
.tool { all: unset; display: flex; flex: 1 1 6em; flex-direction: column; align-items: center; gap: 3px; padding: 6px 2px; text-align: center; border-radius: 10px; color: var(--_muted); font-size: .821em; font-weight: 500; cursor: pointer; transition: background-color .12s, color .12s }
.tool:hover, .tool.pressed { background: var(--_raised); color: var(--_text) }
.tool.danger:hover { color: light-dark(#c4203a, #ff8590) }
`)
