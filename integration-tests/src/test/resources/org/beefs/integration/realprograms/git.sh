# Repositories live, grow, are cloned, packed and pushed to.
export GIT_AUTHOR_NAME=tester GIT_AUTHOR_EMAIL=tester@example.org GIT_COMMITTER_NAME=tester GIT_COMMITTER_EMAIL=tester@example.org
git init -q -b main origin
cd origin
for commit in $(seq "$SIZE"); do
  mkdir -p "folder$((commit % 7))"
  seq "$commit" $((commit + 200)) > "folder$((commit % 7))/file$commit"
  seq "$commit" > changing
  git add -A
  git commit -q -m "commit $commit"
done
cd ..
git clone -q --no-hardlinks origin clone
cd clone
git worktree add -q -b topic ../tree
(cd ../tree && echo topic > topic && rm -r folder1 && git add -A && git commit -q -m topic)
echo more >> changing
git commit -q -a -m more
git merge -q -m merge topic
git gc -q --aggressive --prune=now
git worktree remove ../tree
git push -q origin main:pushed
for repository in . ../origin; do
  git -C $repository fsck --full --strict > ../fsck 2>&1
  ! grep -v '^notice' ../fsck
done
test "$(git rev-list --count main)" = $((SIZE + 3))
test "$(git -C ../origin rev-list --count pushed)" = $((SIZE + 3))
test "$(git -C ../origin rev-parse pushed)" = "$(git rev-parse main)"
test -z "$(git status --porcelain)"
test ! -e folder1
git -C ../origin checkout -q pushed
diff -r --exclude=.git . ../origin
