# A package with a dependency is installed from an archive, twice, and runs.
export npm_config_cache="$PWD/cache" npm_config_offline=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
mkdir cell comb
cd cell
echo '{"name":"cell","version":"1.0.0","main":"index.js","bin":{"cell":"index.js"}}' > package.json
printf '#!/usr/bin/env node\nmodule.exports = n => n * n;\nif (require.main === module) console.log(module.exports(6));\n' > index.js
npm --silent pack > /dev/null
cd ../comb
echo '{"name":"comb","version":"1.0.0"}' > package.json
npm --silent install ../cell/cell-1.0.0.tgz
test "$(node -e 'console.log(require("cell")(7))')" = 49
test "$(node_modules/.bin/cell)" = 36
cp -r node_modules ../before
rm -r node_modules
npm --silent ci
diff -r --no-dereference node_modules ../before
npm --silent ls > /dev/null
