package org.beefs.queenbee.hive;

import java.util.Comparator;

/** Desktops' names as people sort them: desktop2 before desktop10. */
public enum NaturalOrder implements Comparator<String> {
    INSTANCE;

    @Override
    public int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int endA = endOfNumber(a, i);
            int endB = endOfNumber(b, j);
            int order = endA > i && endB > j
                    ? compareNumbers(a.substring(i, endA), b.substring(j, endB))
                    : Character.compare(a.charAt(i), b.charAt(j));
            if (order != 0) {
                return order;
            }
            i = Math.max(i + 1, endA);
            j = Math.max(j + 1, endB);
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        return rest != 0 ? rest : a.compareTo(b);
    }

    private static int compareNumbers(String a, String b) {
        String left = a.replaceFirst("^0+", "");
        String right = b.replaceFirst("^0+", "");
        int length = Integer.compare(left.length(), right.length());
        return length != 0 ? length : left.compareTo(right);
    }

    private static int endOfNumber(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
