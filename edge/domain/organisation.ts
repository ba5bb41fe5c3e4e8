// The organisation: owner of environments (specification section 2.8).

export interface Organisation {
  id: number
  name: string
  region: string | null
  onboardedAt: number | null
  retentionDays: number
  createdAt: number
}

export interface NewOrganisation extends Organisation {}

/** A person who signs in to the dashboard, with the role on one organisation. The password is a scrypt hash. */
export interface NewMember {
  organisationId: number
  email: string
  name: string
  role: 'owner' | 'admin' | 'editor' | 'viewer'
  passwordHash: string
  createdAt: number
}

export interface Organisations {
  create(organisation: NewOrganisation): Promise<void>
  addMember(member: NewMember): Promise<void>
  find(id: number): Promise<Organisation | undefined>
  list(): Promise<Organisation[]>
}
