// Styles of <nc-debug>: at the foot of the page, above everything, out of the page's flow.

import { css } from 'lit'

export const debugStyles = css`
.debug {
  box-sizing: border-box;
  position: fixed;
  inset: auto;
  inset-block-end: 12px;
  inset-inline-start: 12px;
  width: min(460px, 100vw - 24px);
  margin: 0;
  padding: 0;
  border: 1px solid var(--_line);
  border-radius: 12px;
  background: var(--_surface);
  color: var(--_text);
  font: 400 12.5px/1.5 var(--_font);
  overflow: clip;
  box-shadow: 0 2px 4px rgb(16 20 40 / .08), 0 10px 32px -8px rgb(16 20 40 / .3);
}
.debug.second { inset-block-end: 58px }
.debug.third { inset-block-end: 104px }
.debug summary { display: flex; align-items: center; gap: 8px; min-height: 40px; padding: 0 14px; cursor: pointer; font-weight: 600; list-style: none }
.debug summary::-webkit-details-marker { display: none }
.debug summary::after { content: "▸"; margin-inline-start: auto; color: var(--_muted) }
.debug details[open] > summary::after { content: "▾" }
.debug details[open] > summary { border-block-end: 1px solid var(--_line) }
.debug-light { flex: none; width: 9px; height: 9px; border-radius: 50%; background: light-dark(#1a7f4b, #4fd08b) }
.debug-light.hint { background: light-dark(#a86400, #ffc454) }
.debug-light.error { background: light-dark(#c62738, #ff6b79) }
.debug-scroll { max-height: min(56dvh, 520px); overflow-y: auto; overscroll-behavior: contain; padding: 10px 14px 14px; overflow-wrap: anywhere }
.debug :focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px }
.debug-bar { display: flex; align-items: center; gap: 10px; min-height: 32px }
.debug-copy { all: unset; box-sizing: border-box; padding: 4px 12px; border: 1px solid color-mix(in srgb, var(--_muted) 60%, var(--_surface)); border-radius: 8px; font-weight: 600; cursor: pointer }
.debug-copy:hover { background: var(--_raised) }
.debug-status { color: var(--_muted) }
.debug textarea { box-sizing: border-box; width: 100%; height: 120px; margin-block: 8px; border: 1px solid var(--_line); border-radius: 8px; background: var(--_raised); color: inherit; font: 11px/1.4 ui-monospace, monospace }
.debug ul, .debug ol { margin: 8px 0; padding: 0; list-style: none }
.debug-finding { margin-block: 6px; padding: 8px 10px; border-inline-start: 3px solid light-dark(#a86400, #ffc454); border-radius: 4px; background: var(--_raised) }
.debug-finding.error { border-color: light-dark(#c62738, #ff6b79) }
.debug-finding p { margin: 0 }
.debug-finding p:first-child { font-weight: 600 }
.debug h3 { margin: 14px 0 4px; color: var(--_muted); font-size: 11.5px; font-weight: 650; letter-spacing: .02em }
.debug dl { display: grid; grid-template-columns: minmax(84px, auto) 1fr; gap: 2px 12px; margin: 0 }
.debug dt { color: var(--_muted) }
.debug dd { margin: 0 }
.debug ol { font: 11px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.debug [hidden] { display: none }
@media (max-width: 480px) {
  .debug { inset-inline: 0; inset-block-end: 0; width: auto; border-radius: 12px 12px 0 0; border-inline: 0; border-block-end: 0 }
  .debug-scroll { max-height: 44dvh }
  .debug summary { min-height: 44px }
  .debug-copy { min-height: 32px; line-height: 22px }
}
@media (forced-colors: active) {
  .debug-light { forced-color-adjust: none }
  .debug-finding { border: 1px solid CanvasText; border-inline-start-width: 4px }
}
`
