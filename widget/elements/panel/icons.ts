// The icons of the panel: outlines of 24 × 24, drawn here.

import { html, svg, type TemplateResult } from 'lit/html.js'

const PATHS = {
  archive: 'M4 8.500v9a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-9M3 4.500h18v4H3zM10 12.500h4',
  unarchive: 'M4 8.500v9a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-9M3 4.500h18v4H3zM12 17v-5m-2.5 2.200L12 11.700l2.5 2.5',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  check: 'm3 12.5 4 4 8.5-9M11.5 15.500l1 1 8.5-9',
  close: 'm6 6 12 12M18 6 6 18',
  dotted: 'M12 4.500a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M12 10.500a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3',
  error: 'M12 7.500v5.500m0 3.200v.1M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  info: 'M12 16.500V11m0-3.200v-.1M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  message: 'M18 8.500a6 6 0 0 0-12 0c0 6.2-2.5 7.6-2.5 7.600h17S18 14.7 18 8.500M13.7 19.500a2 2 0 0 1-3.4 0',
  offline:
    'm3.5 4.5 17 15M8.5 14.700a5 5 0 0 1 5-1.300M5.5 11.200a9.5 9.5 0 0 1 3.8-2.100M12.5 8.600a9.5 9.5 0 0 1 6 2.600M12 18.500v.1',
  open: 'M13 5.500h5.500V11M18 6l-7.5 7.500M16.5 14v3a1.5 1.5 0 0 1-1.5 1.500H7A1.5 1.5 0 0 1 5.5 17V9A1.5 1.5 0 0 1 7 7.500h3',
  snooze: 'M12 7.500V12l3 2M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  success: 'm8 12.2 2.8 2.800L16.2 9.500M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  trash:
    'M4.5 7h15M9.5 7V4.500h5V7M6.5 7l.8 11a1.5 1.5 0 0 0 1.5 1.500h6.400a1.5 1.5 0 0 0 1.5-1.500l.8-11M10 10.500v5.500m4-5.500v5.5',
  warning: 'M12 9.500v4m0 3v.1M10.3 4.5 2.9 17.300a2 2 0 0 0 1.7 3h14.800a2 2 0 0 0 1.7-3L13.7 4.500a2 2 0 0 0-3.4 0',
} as const

export type IconName = keyof typeof PATHS

/** Hidden from assistive technology: the words stand beside it or name its button. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${PATHS[name]} />`}</svg>`
}

/** A picture for the moment when there is nothing: a bell at rest. */
export const restingBell: TemplateResult = html`<svg class="resting" viewBox="0 0 120 96" aria-hidden="true">
  <ellipse class="ground" cx="60" cy="86" rx="34" ry="4" />
  <circle class="halo" cx="60" cy="44" r="38" />
  <path class="body" d="M60 18a18 18 0 0 0-18 18c0 19-7 24-9 26-1 1.4 0 3 1.7 3h50.600c1.7 0 2.7-1.6 1.7-3-2-2-9-7-9-26a18 18 0 0 0-18-18z" />
  <path class="shine" d="M50 30a12 12 0 0 0-3 9c0 6-.7 10-2 14" />
  <path class="clapper" d="M53 69a7 7 0 0 0 14 0z" />
  <path class="zed" d="M88 24h9l-9 11h9M101 10h6l-6 7.500h6" />
</svg>`
