package org.beefs.integration.browser;

/**
 * How somebody looks at a page.
 *
 * @param name for screenshots
 * @param width of the window in CSS pixels
 * @param height likewise
 * @param phone whether it is a touch screen that heeds what pages say of their width
 * @param scheme that the system prefers: {@code light} or {@code dark}
 */
public record Look(String name, int width, int height, boolean phone, String scheme) {
    public static final Look DESKTOP = new Look("desktop", 1280, 900, false, "light");
    public static final Look DESKTOP_DARK = new Look("desktop-dark", 1280, 900, false, "dark");
    public static final Look PHONE = new Look("phone", 390, 844, true, "light");
    public static final Look PHONE_DARK = new Look("phone-dark", 390, 844, true, "dark");
}
