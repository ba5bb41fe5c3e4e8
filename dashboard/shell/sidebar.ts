// Renders the navigation with the switches of organisation and environment, and the menu of the person.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { icon } from '../elements/icon.ts'
import type { SelectEvent } from '../elements/select-event.ts'
import { applyTheme, currentTheme, THEMES, type Theme } from '../lib/theme.ts'
import { ownPath } from '../routing/prefix.ts'
import { appPath, isAboutEnvironment, type Route, showsEnvironment } from '../routing/routes.ts'
import type { AppContext } from './context.ts'
import { NAVIGATION, type NavigationEntry } from './pages.ts'

/** The menus of the library; until they are here, their buttons show what is chosen. */
const loadMenus = () => import('../elements/menus.ts').catch(() => undefined)

export interface SidebarActions {
  /** Renders again, after a choice that changes no address. */
  update(): void
  /** Opens the palette. */
  search(): void
}

export function sidebar(context: AppContext, route: Route, { update, search }: SidebarActions): TemplateResult {
  void loadMenus()
  return html`<div class="sidebar-top">
      ${organisationMenu(context)} ${environmentMenu(context, route)}
      <button type="button" class="search-button" aria-keyshortcuts="Control+K Meta+K" @click=${search}>
        ${icon('search')}<span>Search</span><kbd>${SHORTCUT}</kbd>
      </button>
    </div>
    <div class="nav">
      ${NAVIGATION.map((group) => html`<ul>${group.filter(({ role }) => role === undefined || context.may(role)).map((entry) => navigationLink(context, route, entry))}</ul>`)}
    </div>
    <div class="sidebar-end">${personMenu(context, update)}</div>`
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

function navigationLink({ link }: AppContext, { page }: Route, entry: NavigationEntry): TemplateResult {
  const isCurrent = page === entry.page || entry.below.includes(page)
  return html`<li>
    <a class="nav-link" href=${link(entry.page)} aria-current=${isCurrent ? 'page' : nothing}>
      ${icon(entry.icon)}<span>${entry.label}</span>
    </a>
  </li>`
}

function organisationMenu({ me, org, router }: AppContext): TemplateResult {
  const mark = html`<span class="org-mark" data-letter=${firstLetter(org.name)}></span>`
  // A session of a single sign-on creates no organisation.
  const mayFound = me.session.organisationId === null
  if (me.organisations.length < 2 && !mayFound) return html`<p class="org-name">${mark}<span>${org.name}</span></p>`
  const choose = ({ detail }: SelectEvent) => {
    const { value } = detail.item
    router.go(value === NEW ? ownPath('/dashboard/new-organisation') : appPath(value, 'home'))
  }
  return html`<wa-dropdown class="switch" @wa-select=${choose}>
    <button slot="trigger" type="button" class="switch-button" aria-label=${`Organisation: ${org.name}`}>
      ${mark}<span class="switch-text">${org.name}</span>${icon('chevron-down')}
    </button>
    ${me.organisations.map(
      ({ id, name }) =>
        html`<wa-dropdown-item type="checkbox" value=${id} .checked=${live(id === org.id)}>${name}</wa-dropdown-item>`,
    )}
    ${mayFound ? html`<wa-dropdown-item value=${NEW}>New organisation …</wa-dropdown-item>` : nothing}
  </wa-dropdown>`
}

/** The value of an item that is no organisation. */
const NEW = 'new'

function environmentMenu({ environments, environment, org, router }: AppContext, route: Route): TemplateResult {
  const choose = ({ detail }: SelectEvent) => {
    // A record of one environment is not in another one; its list is.
    const page = showsEnvironment(route)
      ? route.page
          .replace(/^(campaign|event|user|topic|enricher|source)$/, '$1s')
          .replace(/^(?:translation|snippet)$/, 'texts')
      : 'home'
    const id = isAboutEnvironment(route) ? detail.item.value : ''
    router.go(`${appPath(org.id, page as Route['page'], id)}?env=${encodeURIComponent(detail.item.value)}`)
  }
  const dot = (isProduction: boolean) =>
    html`<span class="env-dot" data-production=${isProduction ? '' : nothing} aria-hidden="true"></span>`
  return html`<wa-dropdown class="switch" @wa-select=${choose}>
    <button slot="trigger" type="button" class="switch-button" aria-label=${`Environment: ${environment.name}${environment.isProduction ? ', production' : ''}`}>
      ${dot(environment.isProduction)}<span class="switch-text">${environment.name}</span>
      ${environment.isProduction ? html`<span class="tag" data-production>Production</span>` : nothing}${icon('chevron-down')}
    </button>
    ${environments.map(
      ({ id, name, isProduction }) =>
        html`<wa-dropdown-item type="checkbox" value=${id} .checked=${live(id === environment.id)}
          >${name}${isProduction ? ' (production)' : ''}</wa-dropdown-item
        >`,
    )}
  </wa-dropdown>`
}

function personMenu(context: AppContext, update: () => void): TemplateResult {
  const { me, router, link } = context
  const choose = ({ detail }: SelectEvent) => {
    const { value } = detail.item
    if (value === 'account') router.go(link('account'))
    else if (value === 'sign-out') void context.signOut()
    else applyTheme(value as Theme)
    update()
  }
  const theme = currentTheme()
  const name = me.person.name || me.person.email
  return html`<wa-dropdown class="switch" placement="top-start" @wa-select=${choose}>
    <button slot="trigger" type="button" class="switch-button" aria-label=${`Account: ${name}`}>
      <span class="person-mark" data-letter=${firstLetter(name)}></span>
      <span class="switch-text">${name}</span>${icon('chevron-up')}
    </button>
    <wa-dropdown-item value="account">Your account</wa-dropdown-item>
    ${THEMES.map(
      (one) =>
        html`<wa-dropdown-item type="checkbox" value=${one} .checked=${live(one === theme)}>${THEME_LABELS[one]}</wa-dropdown-item>`,
    )}
    <wa-dropdown-item value="sign-out">Sign out</wa-dropdown-item>
  </wa-dropdown>`
}

const THEME_LABELS: Record<Theme, string> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
}

/** The styles show it: as text it would be a part of the button's name. */
const firstLetter = (name: string): string => [...name][0]?.toUpperCase() ?? ''
