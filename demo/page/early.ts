// Installs the watched network (network.ts) before the widget's script runs.

import './network.ts'
