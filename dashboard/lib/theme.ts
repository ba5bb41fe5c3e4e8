// Applies the light, the dark or the system's scheme to the page, and keeps the choice in the browser.

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEPT_AS = 'nc-dashboard-theme'

export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEPT_AS)
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

/** The styles follow `color-scheme` of the root, which this attribute sets. */
export function applyTheme(theme: Theme = currentTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem(KEPT_AS)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(KEPT_AS, theme)
    document.documentElement.dataset.theme = theme
  }
}
