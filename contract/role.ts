// Lists the roles of people in an organisation.

/** From the least to the most. A role may do all that the roles before it may (docs/dashboard.md#roles). */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** @returns Whether a role includes what another one may do. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** The least roles that may publish in an environment. */
export const PUBLISH_ROLES = ['editor', 'admin'] as const satisfies readonly Role[]
export type PublishRole = (typeof PUBLISH_ROLES)[number]

/** Roles that an identity provider may give to people who are not invited. Owners are made by owners alone. */
export const NEW_MEMBER_ROLES = ['viewer', 'editor', 'admin'] as const satisfies readonly Role[]
export type NewMemberRole = (typeof NEW_MEMBER_ROLES)[number]
