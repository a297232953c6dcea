# A project is built, tested by running it, and installed into a local repository in the hive. What the build needs comes from the
# machine's own local repository.
maven=$(command -v mvn || true)
for fetched in "$CACHE"/maven/apache-maven-*/bin/mvn; do [ ! -x "$fetched" ] || maven=$fetched; done
known=$HOME/.m2/repository
version() { for jar in "$known/org/apache/maven/plugins/$1"/*/*.jar; do basename "$(dirname "$jar")"; done | sort -V | tail -1; }
mkdir -p project/src/main/java
cd project
cat > pom.xml <<XML
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>comb</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>21</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <build><plugins>
$(for name in resources compiler surefire jar install; do
  echo "    <plugin><artifactId>maven-$name-plugin</artifactId><version>$(version maven-$name-plugin)</version></plugin>"
done)
  </plugins></build>
</project>
XML
cat > src/main/java/Comb.java <<'JAVA'
public final class Comb {
    public static void main(String[] args) {
        System.out.println(java.util.stream.IntStream.range(0, 7).map(n -> n * n).sum());
    }
}
JAVA
if ! "$maven" -o -B -q "-Dmaven.repo.local=$PWD/../repository" "-Dmaven.repo.local.tail=$known" install > log 2>&1; then
  ! grep -q 'offline mode' log || { echo "NOT HERE: Maven's plugins are not in $known"; exit 0; }
  cat log
  exit 1
fi
test "$("$JAVA_HOME/bin/java" -cp target/comb-1.jar Comb)" = 91
cmp target/comb-1.jar ../repository/org/example/comb/1/comb-1.jar
