// Starts the dashboard: the theme, the components of the library, and the shell.

import './styles/main.css'
import './begin.ts'
import './elements/components.ts'
import { applyTheme } from './lib/theme.ts'
import './shell/app.ts'

applyTheme()
