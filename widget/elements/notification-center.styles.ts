// Tokens of the whole element. Every colour is a custom property; `light-dark()` follows the page's `color-scheme`.

import { css } from 'lit'

export const hostStyles = css`
  :host {
    display: inline-block;
    --_font: var(--nc-font, system-ui, sans-serif);
    --_accent: var(--nc-accent, var(--_service-accent, light-dark(#4457e8, #93a1ff)));
    --_on-accent: var(--nc-on-accent, light-dark(#fff, #12152b));
    --_surface: var(--nc-surface, light-dark(#fff, #1b1c21));
    --_raised: var(--nc-raised, light-dark(#f5f6f8, #26282f));
    --_text: var(--nc-text, light-dark(#171a21, #f1f2f5));
    --_muted: var(--nc-muted, light-dark(#5a6170, #a3a9b7));
    --_line: var(--nc-line, light-dark(#e7e9ee, #33363f));
    --_badge: var(--nc-badge, light-dark(#d92d3f, #ff5d6c));
    --_on-badge: var(--nc-on-badge, light-dark(#fff, #2a0308));
    --_radius: var(--nc-radius, 16px);
  }
  :host([hidden]) { display: none }
  .root {
    all: initial; visibility: inherit;
    color-scheme: inherit;
    color: inherit;
    display: block;
    font: 400 medium/1.45 var(--_font);
    -webkit-font-smoothing: antialiased;
  }
  .inline { height: 100% }
  .root > * { font-size: var(--nc-font-size, clamp(.875em, .875rem, 1.75em)) }
  .anchor { display: inline-block; anchor-name: --bell }
  .inline .anchor { display: none }
  nc-bell { display: contents }
  .missing {
    position: fixed;
    position-anchor: --bell;
    z-index: 2147483647;
    top: calc(anchor(bottom) + 8px);
    inset-inline-end: 12px;
    inset-inline-end: clamp(12px, anchor(inside), 100% - 12px - min(400px, 100% - 24px));
    max-width: min(400px, 100% - 24px);
    box-sizing: border-box;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    text-align: start;
    box-shadow: var(--nc-shadow, 0 8px 40px #0006);
  }
  .waiting {
    width: 100vw;
    height: 50vh;
    pointer-events: none;
    background: repeating-linear-gradient(var(--_surface) 0 2em, var(--_raised) 0 4em);
  }
  .inline .missing { position: static; box-shadow: none }
  .live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  @media (prefers-reduced-motion: reduce) {
    .root :not(.tabs), .root ::before, .root ::after { animation: none !important; transition: none !important }
  }
`
