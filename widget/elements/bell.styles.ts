// Styles of the bell and its badge.

import { css } from 'lit'

export const bellStyles = css`
  .bell {
    all: unset;
    box-sizing: border-box;
    display: grid;
    place-items: center;
    position: relative;
    width: var(--nc-bell-size, 2.857em);
    height: var(--nc-bell-size, 2.857em);
    border-radius: 50%;
    color: var(--nc-bell-color, inherit);
    cursor: pointer;
    transition: background-color .15s;
  }
  .bell:hover, .bell[aria-expanded=true] { background: color-mix(in srgb, currentColor 8%, #0000) }
  .bell:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px }
  .bell svg { width: 55%; height: 55%; transform-origin: 50% 12% }
  .badge {
    position: absolute;
    pointer-events: none;
    inset-block-start: -3px;
    inset-inline-start: 50%;
    min-width: 1.64em;
    box-sizing: border-box;
    padding: 0 .36em;
    border-radius: 1em;
    background: var(--_badge);
    color: var(--_on-badge);
    font: 650 .786em/1.64 var(--_font);
    translate: calc((1.64em - 100%) * .3);
    font-variant-numeric: tabular-nums;
    text-align: center;
    box-shadow: 0 0 0 2px var(--nc-bell-backdrop, #0000);
  }
  .badge:dir(rtl) { translate: calc((100% - 1.64em) * .3) }
  .badge[hidden] { display: none }
  .rings svg { animation: ring .7s ease-in-out }
  .rings + .badge { animation: pop .3s ease-out }
  @media (forced-colors: active) {
    .badge { border: 1px solid CanvasText }
  }
  @keyframes ring { 15% { rotate: 14deg } 35% { rotate: -11deg } 55% { rotate: 7deg } 75% { rotate: -4deg } }
  @keyframes pop { 0% { scale: .4 } 70% { scale: 1.15 } }
`
