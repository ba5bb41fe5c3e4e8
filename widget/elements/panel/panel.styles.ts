// The panel: popover beside its bell, sheet on phones, header, tabs, states. Texts are sized in em: 1em is the 14px of an ordinary page, more for who wants larger text.

import { css } from 'lit'

/** What places the panel without a script. WebKit, alone in knowing `-webkit-nbsp-mode`, does not come back from drawing an anchored panel with skeletons (seen in 2.50.6). */
export const ANCHORS = css`(top:anchor(top)) and (height:-webkit-fill-available) and (not (-webkit-nbsp-mode:space))`

export const panelStyles = css`
.panel {
  box-sizing: border-box;
  flex-direction: column;
  --_width: var(--nc-panel-width, max(400px, 24em));
  width: var(--_width);
  --_height: min(var(--nc-panel-height, 620px), max(320px, var(--_fit, 100vh)));
  height: var(--_height);
  max-width: calc(100% - 24px);
  max-height: calc(100% - 16px);
  margin: 0;
  padding: 0;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_text);
  overflow: clip;
  outline: 0;
  scrollbar-color: color-mix(in srgb, var(--_muted) 45%, #0000) #0000;
  box-shadow: var(--nc-shadow, 0 12px 40px -8px light-dark(#10142842, #000));
}
.panel[popover] { position: fixed; z-index: 2147483647; inset: 8px 12px auto auto }
@supports ${ANCHORS} {
  .panel[popover] {
    position-anchor: --bell; position-visibility: always; position-try-fallbacks: --above, --over; inset: auto;
    top: max(8px, calc(anchor(bottom, 0px) + 8px)); bottom: 8px; inset-inline-end: clamp(12px, anchor(inside, 12px), 100% - 12px - min(var(--_width), 100% - 24px));
    height: -webkit-fill-available; max-height: var(--_height); min-height: min(320px, 100% - 16px);
  }
}
@position-try --above { top: 8px; bottom: max(8px, calc(anchor(top) + 8px)); align-self: end }
@position-try --over { top: 8px }
.panel[popover]:not(.open) { display: none }
.panel.open { display: flex }
.panel[role=region] { position: relative; display: flex; width: 100%; max-width: none; height: var(--nc-panel-height, 100%); min-height: min(320px, 100dvh); max-height: var(--nc-panel-max-height, 720px); box-shadow: none }
.root .panel * { box-sizing: border-box }
.panel [hidden] { display: none }
.header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; min-height: 56px; padding-block: 8px; padding-inline: 22px 10px; flex: none }
.heading { margin: 0; flex: 99 1 min-content; min-width: 0; max-width: max-content; overflow-wrap: break-word; font-size: 1.214em; font-weight: 650; letter-spacing: -.01em; line-height: 1.3 }
.heading + slot::slotted(*) { margin-inline-start: 8px }
.panel > slot::slotted(*) { padding: 10px 22px; border-block-start: 1px solid var(--_line) }
.back + .heading { font-size: 1.071em; font-weight: 600 }
.header .back { margin-inline-start: -14px }
.spring { flex: 1; display: flex; justify-content: flex-end; gap: inherit }
.icon { width: 1.429em; height: 1.429em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round }
.icon-button {
  all: unset; display: grid; place-items: center; width: 2.429em; height: 2.429em; border-radius: 10px;
  color: var(--_muted); cursor: pointer; transition: background-color .12s, color .12s;
}
.icon-button:hover { background: var(--_raised); color: var(--_text) }
.icon-button[aria-pressed=true] { background: var(--_raised); color: var(--_accent) }
.icon-button[aria-disabled] { opacity: .4; cursor: default; background: none }
.back .icon:dir(rtl) { transform: scaleX(-1) }
.closer { display: none }
.panel :focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px }
.panel :is(.row, .detail-scroll):focus-visible { border-radius: var(--_radius) }
.panel .button:focus-visible { outline-offset: 2px }
.tabs { display: flex; gap: 2px; flex: none; padding: 0 14px; overflow: auto hidden; scrollbar-width: none; scroll-padding-inline: 36px; border-block-end: 1px solid var(--_line); mask: linear-gradient(var(--_way, 90deg), #0000, #000 var(--_from, 0), #000 var(--_to, 100%), #0000); animation: fades linear; animation-timeline: scroll(self inline) }
.tabs:dir(rtl) { --_way: -90deg }
.tab {
  all: unset; display: inline-flex; align-items: center; gap: 6px; position: relative;
  flex: none; padding: 8px 8px 11px; color: var(--_muted); font-size: .964em; font-weight: 550; cursor: pointer; border-radius: 8px; transition: color .12s;
}
.tab:is(:hover, [aria-selected=true]) { color: var(--_text) }
.tab[aria-selected=true]::after { content: ""; position: absolute; inset: auto 8px 0; height: 2px; border-radius: 2px; background: var(--_accent) }
.count {
  min-width: 1.57em; padding: 0 .44em; border-radius: 1em; background: color-mix(in srgb, var(--_accent) 14%, #0000); color: var(--_accent);
  font-size: .857em; font-weight: 650; line-height: 1.57; text-align: center; font-variant-numeric: tabular-nums;
}
.stage { flex: 1; min-height: 0; position: relative; display: flex }
.list-side { flex: 1; min-width: 0; display: flex; flex-direction: column }
.behind { visibility: hidden }
.scroller, .detail-scroll { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin }
.over { position: relative; z-index: 1; height: 0 }
.over > * { position: absolute; inset-inline: 0 }
.lowered { margin-block-start: 2.5em }
.offline { display: flex; align-items: center; gap: 8px; flex: none; padding: 3px 22px; border-block: 1px solid #0000; background: light-dark(#fff5dc, #3a2f13); color: light-dark(#6b4a00, #ffdf94); font-size: .929em }
.offline span { flex: 1; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
.link { all: unset; padding: 4px 0; min-width: 24px; cursor: pointer; font-weight: 600; text-decoration: underline; text-underline-offset: 3px; border-radius: 4px }
.notice span { flex: 1 }
.notice { position: absolute; inset: auto 12px 12px; padding: 6px 14px; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; border-radius: 12px; background: var(--_text); color: var(--_surface); font-size: .929em; box-shadow: 0 6px 20px #0003; z-index: 2 }
@media (max-width: 480px), (max-height: 400px) {
  .panel[popover] {
    inset: 0; position-try-fallbacks: none; width: auto; height: auto; max-width: none; max-height: none; border: 0; border-radius: 0;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
  }
  .panel[popover] .closer { display: grid }
  .header { gap: 0 }
  .heading { font-size: 1.071em }
  .icon-button { width: max(40px, 2.429em); height: max(40px, 2.429em) }
}
@media (prefers-reduced-motion: no-preference) {
  .panel[popover] { transition: opacity .16s ease-out, transform .18s cubic-bezier(.2, .8, .3, 1) }
  @starting-style { .panel.open { opacity: 0; transform: translateY(-6px) scale(.985) } }
  .notice { animation: slide .18s ease-out }
}
@media (forced-colors: active) {
  .count { border: 1px solid }
  .tab[aria-selected=true]::after { background: Highlight }
  .icon-button[aria-pressed=true], .button.primary { background: Highlight !important; color: HighlightText !important; forced-color-adjust: none }
  .notice { border: 1px solid CanvasText; background: Canvas; color: CanvasText; forced-color-adjust: none }
}
@media print { [popover] { visibility: hidden } }
@keyframes fades { 0%, 88% { --_to: calc(100% - 36px) } 12%, to { --_from: 36px } }
@keyframes slide { from { opacity: 0; transform: translateY(5px) } }
`
