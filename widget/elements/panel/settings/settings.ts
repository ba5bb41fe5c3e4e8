// The settings of the user, in the panel. A part.

import { EN_SETTINGS } from '../../../locales/en-settings.ts'
import type { SettingsOptions } from '../panel-types.ts'
import { Preferences } from './preferences.ts'
import { NcSettings } from './settings-view.ts'

/** @returns what <nc-settings> shows */
export function createSettings({ i18n, ...options }: SettingsOptions): Preferences {
  NcSettings.register('nc-settings')
  i18n.learn(EN_SETTINGS)
  return new Preferences(options)
}
