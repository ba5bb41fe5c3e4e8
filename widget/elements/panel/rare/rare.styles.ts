// Styles of the sheets, the selection bar and the picture of an empty list.

import { css } from 'lit'

export const rareStyles = css`
.sheet, .bulk { position: relative; z-index: 2; background: var(--_surface) }
nc-snooze, nc-keys { display: contents }
.scrim { position: absolute; inset: 0; z-index: 1; background: light-dark(#10142859, #0009) }
.row.snoozing { z-index: 2; background: var(--_surface) }
.sheet { flex: none; max-height: 70%; overflow-y: auto; padding: 8px 10px; border-block-start: 1px solid var(--_line); display: grid; grid-template-columns: minmax(0, 1fr) }
.choice { all: unset; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 12px; padding: 9px 12px; border-radius: 10px; font-size: .964em; font-weight: 540; cursor: pointer }
button.choice:hover { background: var(--_raised) }
form.choice { align-items: end; cursor: default }
.choice label { display: grid; gap: 4px; flex: 999 1 17em; min-width: 0 }
.choice :is(input, .button) { min-height: 36px }
.choice .button { flex: 1; justify-content: center; white-space: nowrap }
.choice input { min-width: 0; font: inherit; font-weight: 400; font-size: min(1em, 5.2vw); color: inherit; background: var(--_surface); border: 1px solid color-mix(in srgb, var(--_muted) 75%, var(--_surface)); border-radius: 9px; padding: 5px 8px; color-scheme: inherit }
@media (any-pointer: coarse) { .choice input { font-size: clamp(16px, 1em, 5.2vw) } }
.bulk { display: flex; flex: none; align-items: center; gap: 2px; min-height: 57px; box-sizing: border-box; padding: 8px 10px; border-block-start: 1px solid var(--_line); font-size: .929em }
.row:has(:checked) { background: var(--_raised) }
.bulk .choose { margin: 0 8px }
.bulk .spring { flex: 0 1 auto; margin-inline-start: auto }
.bulk .link { margin-inline: 6px; color: var(--_accent) }
.bulk .chosen { min-width: 0; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums }
.sheet-title { display: flex; justify-content: space-between; align-items: center; margin-block: 4px; margin-inline: 12px 2px; font-size: 1.071em; font-weight: 650 }
.snoozed-title { margin: 0; margin-inline: 12px; padding-block-end: 6px; color: var(--_muted); font-size: .929em; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere }
.keys dl { margin: 0; padding: 0 12px 10px }
.keys dl > div { display: flex; justify-content: space-between; align-items: baseline; gap: 12px; padding: 5px 0 }
.keys dt { order: 2; display: flex; gap: 4px; direction: ltr }
.keys dd { margin: 0; color: var(--_muted); font-size: .964em }
.keys kbd { min-width: 22px; padding: 2px 6px; border: 1px solid var(--_line); border-radius: 6px; background: var(--_raised); font: .857em/1.4 ui-monospace, Menlo, Consolas, monospace; text-align: center }
.resting .halo { fill: color-mix(in srgb, var(--_accent) 9%, transparent) }
.resting .ground { fill: color-mix(in srgb, var(--_text) 8%, transparent) }
.resting .body { fill: color-mix(in srgb, var(--_accent) 26%, var(--_surface)); stroke: var(--_accent); stroke-width: 2.5 }
.resting .shine { fill: none; stroke: light-dark(#fff, color-mix(in srgb, var(--_accent) 55%, #fff)); stroke-width: 3; stroke-linecap: round }
.resting .clapper { fill: var(--_accent) }
.resting .zed { fill: none; stroke: var(--_muted); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
`
