// Renders the menu of a member's role, and the questions before a role is given.

import '../../elements/menus.ts'
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { includesRole, ROLES, type Role } from '../../../contract/role.ts'
import type { Question } from '../../elements/confirm-dialog.ts'
import { icon } from '../../elements/icon.ts'
import type { SelectEvent } from '../../elements/select-event.ts'
import { toWords } from '../../lib/format.ts'

/** What each role may do besides all that the roles before it may (docs/dashboard.md#roles). */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  viewer: 'May look at deliveries, events, users, campaigns and settings, and change nothing.',
  editor:
    'May also pause campaigns and, where the environment lets editors, publish them, send tests, change texts and notification configs, and suppress users.',
  admin:
    'May also change environments and settings, show and rotate secrets, add integrations and sources, export and erase users, read the audit log, and invite, change and remove members up to admin.',
  owner:
    'May do everything: also set and remove the single sign-on, and make, lower and remove owners, you among them.',
}

/** @returns The roles that a person of this role may give. */
export const rolesUpTo = (role: Role): Role[] => ROLES.filter((one) => includesRole(role, one))

/** A role to choose for somebody new: each with what it may do. */
export function roleChoice(roles: readonly Role[]): TemplateResult {
  return html`<fieldset class="role-choice">
    <legend>Role</legend>
    ${roles.map(
      (role, at) => html`<label class="check">
        <input type="radio" name="role" value=${role} ?checked=${at === 0} />
        <span>${toWords(role)}<span class="row-note">${ROLE_WORDS[role]}</span></span>
      </label>`,
    )}
  </fieldset>`
}

export interface RoleMenu {
  email: string
  role: Role
  roles: readonly Role[]
  /** Called with another role than the present one. */
  choose(role: Role): void
}

/** A key on the closed menu changes nothing: it opens first, and what is chosen there is asked about. */
export function roleMenu({ email, role, roles, choose }: RoleMenu): TemplateResult {
  const select = (event: SelectEvent) => {
    const wanted = event.detail.item.value as Role
    // The menu ticks what was chosen, and the role has not changed yet.
    const items = (event.currentTarget as HTMLElement).querySelectorAll('wa-dropdown-item')
    queueMicrotask(() => {
      for (const item of items) item.checked = item.value === role
    })
    if (wanted !== role) choose(wanted)
  }
  return html`<wa-dropdown class="role-menu" @wa-select=${select}>
    <button slot="trigger" type="button" class="role-button" aria-label=${`Role of ${email}: ${toWords(role)}`}>
      ${toWords(role)}${icon('chevron-down')}
    </button>
    ${roles.map(
      (one) =>
        html`<wa-dropdown-item type="checkbox" value=${one} .checked=${live(one === role)}
          >${toWords(one)}<span class="row-note">${ROLE_WORDS[one]}</span></wa-dropdown-item
        >`,
    )}
  </wa-dropdown>`
}

export interface RoleChange {
  name: string
  email: string
  from: Role
  to: Role
  isSelf: boolean
  run(): Promise<void>
}

/** Asks before a role changes; an owner wants the address typed. */
export function roleQuestion({ name, email, from, to, isSelf, run }: RoleChange): Question {
  const loses = !includesRole(to, from)
  return {
    title: `Change the role of ${name || email}`,
    text: html`<p>From ${toWords(from)} to <strong>${toWords(to)}</strong>, at once, in all environments.</p>
      <p>${ROLE_WORDS[to]}</p>
      ${isSelf && loses ? html`<p class="consequence">This is your own role: you cannot take it back yourself.</p>` : nothing}`,
    button: `Make ${to === 'viewer' ? 'a' : 'an'} ${to}`,
    ...(to === 'owner' && { typed: email, isDangerous: true }),
    run,
  }
}
